import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My account',
  },
  zh: {
    title: '我的账户',
  },
});
