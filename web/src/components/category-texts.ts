import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  category: ['Category', '类别'],
  noCategory: ['No category', '未分类'],
  pointsByCategory: ['Points by category', '各类别积分'],
  total: ['Total', '合计'],
});
