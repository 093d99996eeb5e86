import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['News', '公告'],
  empty: ['No news', '暂无公告'],
  emptyHint: ['Announcements appear here.', '新公告会显示在这里。'],
});
