import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Records',
    description: 'Every point given or taken, with its reason.',
  },
  zh: {
    title: '记录',
    description: '每一次加减分及其理由。',
  },
});
