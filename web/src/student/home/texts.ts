import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  hello: ['Hello, {{name}}', '{{name}}，你好'],
  total: ['My points', '我的积分'],
  plus: ['Earned', '加分'],
  minus: ['Lost', '扣分'],
  count: ['Records', '记录数'],
  rank: ['My rank in class', '班级排名'],
  myClass: ['My class', '我的班级'],
  place: ['#{{rank}}', '第 {{rank}} 名'],
  ofClass: ['of {{count, number}}', '（共 {{count, number}} 人）'],
  alone: ['You’re the only one in your class so far.', '班里目前只有你一个人。'],
  level: [
    'Everyone in your class has the same points. A good moment to take the lead!',
    '全班积分相同，正是争取领先的好时机！',
  ],
  first: ['You lead your class. Wonderful!', '你是全班第一，真棒！'],
  podium: ['You’re in the top three. Well done!', '你在前三名，很出色！'],
  front: ['You’re in the top half. Keep it up!', '你在班级前列，继续保持！'],
  climbing: ['Every point counts.', '每一分都算数，加油！'],
  toNext: [
    '{{count, number}} more point to move up a rank.',
    '{{count, number}} more points to move up a rank.',
    '再得 {{count, number}} 分就能追上前面的同学。',
  ],
  toFront: [
    '{{count, number}} more point to catch up with the top half.',
    '{{count, number}} more points to catch up with the top half.',
    '再得 {{count, number}} 分就能追上班级前列的同学。',
  ],
  rankFailed: ['Couldn’t show your rank.', '暂时无法显示排名。'],
  toClass: ['See the class', '查看班级'],
  trend: ['Last 30 days', '最近 30 天'],
  latest: ['Latest', '最新记录'],
  toRecords: ['All records', '全部记录'],
  empty: ['Nothing here yet', '还没有记录'],
  emptyHint: ['Your first points will appear here, with the reason.', '你的第一次加分和理由会显示在这里。'],
});
