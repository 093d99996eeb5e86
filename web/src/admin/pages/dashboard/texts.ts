import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Dashboard',
    description: 'How your classes are doing.',
  },
  zh: {
    title: '概览',
    description: '班级近况一览。',
  },
});
