import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Seats',
    description: 'Who sits where.',
  },
  zh: {
    title: '座位',
    description: '班级座位安排。',
  },
});
