import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Statistics',
    description: 'Totals, trends and comparisons.',
  },
  zh: {
    title: '统计',
    description: '总计、趋势与对比。',
  },
});
