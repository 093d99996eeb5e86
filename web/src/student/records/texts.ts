import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My records',
    description: 'Every point you gained or lost this term, with the reason.',
    filter: 'Filter records',
    plus: 'Earned',
    minus: 'Lost',
    records_one: '{{count, number}} record',
    records_other: '{{count, number}} records',
    showMore: 'Show more',
    empty: 'No records this term',
    emptyPlus: 'No points earned yet',
    emptyHint: 'When a teacher gives you points, they appear here with the reason.',
    emptyMinus: 'No points lost',
    emptyMinusHint: 'You have lost no points this term. Keep it up!',
  },
  zh: {
    title: '我的记录',
    description: '本学期每一次加分和扣分的理由。',
    filter: '筛选记录',
    plus: '加分',
    minus: '扣分',
    records_other: '共 {{count, number}} 条记录',
    showMore: '显示更多',
    empty: '本学期还没有记录',
    emptyPlus: '还没有加分',
    emptyHint: '老师给你加分后，分数和理由会显示在这里。',
    emptyMinus: '没有扣分',
    emptyMinusHint: '本学期没有被扣过分，继续保持！',
  },
});
