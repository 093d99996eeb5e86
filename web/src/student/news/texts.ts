import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'News',
    empty: 'No news',
    emptyHint: 'Announcements appear here.',
  },
  zh: {
    title: '公告',
    empty: '暂无公告',
    emptyHint: '新公告会显示在这里。',
  },
});
