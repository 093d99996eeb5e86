import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Templates',
    description: 'Reasons that you use often.',
  },
  zh: {
    title: '模板',
    description: '常用的评分理由。',
  },
});
