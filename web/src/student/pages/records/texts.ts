import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My records',
  },
  zh: {
    title: '我的记录',
  },
});
