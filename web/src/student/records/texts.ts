import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['My records', '我的记录'],
  description: [
    'Every point you gained or lost this term, with the reason.',
    '本学期每一次加分和扣分的理由。',
  ],
  filter: ['Filter records', '筛选记录'],
  plus: ['Earned', '加分'],
  minus: ['Lost', '扣分'],
  records: ['{{count, number}} record', '{{count, number}} records', '共 {{count, number}} 条记录'],
  showMore: ['Show more', '显示更多'],
  empty: ['No records this term', '本学期还没有记录'],
  emptyPlus: ['No points earned yet', '还没有加分'],
  emptyHint: [
    'When a teacher gives you points, they appear here with the reason.',
    '老师给你加分后，分数和理由会显示在这里。',
  ],
  emptyMinus: ['No points lost', '没有扣分'],
  emptyMinusHint: ['You have lost no points this term. Keep it up!', '本学期没有被扣过分，继续保持！'],
});
