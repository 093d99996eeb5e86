import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Announcements',
    description: 'What everybody sees on the start page.',
  },
  zh: {
    title: '公告',
    description: '显示在首页的公告。',
  },
});
