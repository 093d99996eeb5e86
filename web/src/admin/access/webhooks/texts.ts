import type { DeliveryError } from '@classledger/contract';
import { defineTexts, type Entry } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Webhooks', 'Webhook'],
  description: [
    'Apps that are notified when data changes. Each app sets this up with its own credential.',
    '数据变更时自动接收通知的应用，由各应用使用自己的凭证设置。',
  ],
  toCredentials: ['API credentials', 'API 凭证'],
  address: ['Address', '接收地址'],
  forCredential: ['Credential: {{name}}', '凭证：{{name}}'],
  events: ['Events', '通知内容'],
  lastDelivered: ['Last delivered', '最近送达'],
  nothingYet: ['Nothing yet', '还没有'],
  paused: ['Paused', '已暂停'],
  failing: ['Failing', '发送失败'],
  stopped: ['Stopped', '已停止'],
  about_active: ['Changes are sent.', '数据变更会发送给应用。'],
  about_paused: [
    'Nothing is sent until you resume it. Changes are kept.',
    '恢复之前不会发送，期间的变更会保留。',
  ],
  about_failing: [
    'The last attempts failed. They are repeated for up to three days.',
    '最近几次发送失败，系统会在三天内继续重试。',
  ],
  about_failed: [
    'All attempts failed for three days, so sending was stopped. Resume it when the app works again.',
    '连续三天未能送达，已停止发送。应用恢复正常后，请点“恢复”。',
  ],
  about_gone: [
    'The app reported that the address is no longer in use, so sending was stopped.',
    '应用反馈该地址已停用，已停止发送。',
  ],
  about_secret: [
    'The signing secret can no longer be read, so sending was stopped. The app must create a new one.',
    '签名密钥已无法读取，已停止发送。请由应用重新生成密钥。',
  ],
  about_restored: [
    'The data was restored from a backup, so sending was stopped. Resume it unless this server is a copy.',
    '数据从备份恢复，已停止发送。如果本服务器不是副本，请点“恢复”。',
  ],
  student: ['Students', '学生'],
  score: ['Points', '积分'],
  grade: ['Grades', '年级'],
  class: ['Classes', '班级'],
  template: ['Templates', '模板'],
  notPermitted: [
    'The credential lacks the permission for some of these events.',
    '凭证缺少其中部分通知内容的权限。',
  ],
  missed: [
    'Some changes can no longer be sent. The app should read all data again.',
    '部分变更已无法发送。应用需要重新读取全部数据。',
  ],
  showDeliveries: ['Deliveries', '发送记录'],
  pause: ['Pause', '暂停'],
  resume: ['Resume', '恢复'],
  pauseTitle: ['Pause {{name}}?', '暂停 {{name}}？'],
  pauseText: [
    'Nothing is sent until you resume it. Changes are kept for up to 30 days.',
    '恢复之前不会发送，期间的变更最多保留 30 天。',
  ],
  pausedDone: ['{{name}} is paused', '已暂停 {{name}}'],
  resumedDone: ['{{name}} is active again', '已恢复 {{name}}'],
  removeTitle: ['Delete {{name}}?', '删除 {{name}}？'],
  removeText: [
    'The app will no longer be notified of changes. Changes that are waiting are not sent.',
    '应用将不再收到变更通知，等待发送的变更也会取消。',
  ],
  removedDone: ['{{name}} was deleted', '已删除 {{name}}'],
  emptyTitle: ['No webhooks yet', '还没有 Webhook'],
  emptyHint: [
    'An app sets one up with its credential. The API guide shows how.',
    '由应用使用自己的凭证设置，方法见对接指南。',
  ],
  toGuide: ['API guide', '对接指南'],
  deliveriesTitle: ['Deliveries to {{name}}', '发送到 {{name}} 的记录'],
  change: ['Change', '变更'],
  attempts: ['Attempts', '次数'],
  latency: ['Duration', '耗时'],
  milliseconds: ['{{value, number}} ms', '{{value, number}} 毫秒'],
  when: ['Changed', '变更时间'],
  waiting: ['Waiting', '等待发送'],
  delivered: ['Delivered', '已送达'],
  failed: ['Given up', '已放弃'],
  skipped: ['Not sent', '未发送'],
  answered: ['The app responded with {{status}}.', '应用响应 {{status}}。'],
  retryAt: ['Next attempt', '下次发送'],
  sendAgain: ['Send again', '重新发送'],
  sendAgainNamed: ['Send {{name}} again', '重新发送 {{name}}'],
  sendSince: ['Send again since…', '按时间重新发送…'],
  sendSinceTitle: ['Send again since', '按时间重新发送'],
  sendSinceText: [
    'All changes since then are sent again, with the current data.',
    '此时间之后的全部变更，将按当前数据重新发送一次。',
  ],
  since: ['Since', '起始时间'],
  sinceMissing: ['Choose a date and time.', '请选择日期和时间。'],
  sentAgain: [
    '{{count, number}} delivery is sent again',
    '{{count, number}} deliveries are sent again',
    '将重新发送 {{count, number}} 条',
  ],
  noDeliveriesTitle: ['Nothing delivered yet', '还没有发送记录'],
  noDeliveriesHint: [
    'Changes that the app subscribed to appear here for 30 days.',
    '应用订阅的变更会显示在这里，保留 30 天。',
  ],
  count: ['{{count, number}} delivery', '{{count, number}} deliveries', '共 {{count, number}} 条'],
});

export const deliveryErrorTexts = defineTexts({
  'The address is one that this server does not call': [
    'This server is not allowed to call that address.',
    '本服务器不允许访问该地址。',
  ],
  'No answer within 10 seconds': ['No response within 10 seconds.', '10 秒内没有响应。'],
  'Cut off when the server stopped': ['Interrupted because this server stopped.', '服务器停止，发送中断。'],
  'The host is not known': ['The host was not found.', '找不到该主机。'],
  'The connection was refused': ['The connection was refused.', '连接被拒绝。'],
  'The certificate or the encryption of the receiver is not accepted': [
    'The app’s certificate or encryption was not accepted.',
    '应用的证书或加密方式不符合要求。',
  ],
  'The connection broke': ['The connection was interrupted.', '连接中断。'],
} satisfies Record<DeliveryError, Entry>);
