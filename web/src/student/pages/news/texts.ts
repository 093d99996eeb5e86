import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'News',
  },
  zh: {
    title: '公告',
  },
});
