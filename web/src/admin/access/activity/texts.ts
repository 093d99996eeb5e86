import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Activity log', '操作日志'],
  description: [
    'Changes and sign-ins of staff. For points, see the point records.',
    '教师与管理员的登录和操作记录。加分、扣分与撤销请见积分记录。',
  ],
  who: ['Staff account', '账号'],
  what: ['Action', '操作'],
  target: ['Item', '对象'],
  everybody: ['All accounts', '全部账号'],
  everyAction: ['All actions', '全部操作'],
  from: ['From', '开始日期'],
  to: ['To', '结束日期'],
  you: ['you', '您'],
  unknownAdmin: ['Account {{id}}', '账号 {{id}}'],
  count: ['{{count, number}} entry', '{{count, number}} entries', '共 {{count, number}} 条'],
  emptyTitle: ['No activity yet', '还没有操作记录'],
  emptyHint: [
    'Sign-ins, additions, changes and deletions appear here.',
    '登录以及添加、修改、删除等操作会显示在这里。',
  ],
});
