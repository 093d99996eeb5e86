import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My class',
  },
  zh: {
    title: '我的班级',
  },
});
