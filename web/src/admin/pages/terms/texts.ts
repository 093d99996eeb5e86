import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Terms',
    description: 'Close a term and look at former ones.',
  },
  zh: {
    title: '学期',
    description: '结束学期，查看往期。',
  },
});
