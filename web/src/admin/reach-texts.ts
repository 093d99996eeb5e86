import { defineTexts } from '../i18n/texts.ts';

export const reachTexts = defineTexts({
  reach: ['Scope', '显示范围'],
  thisSchool: ['This school', '本校'],
  everything: ['All schools', '全部学校'],
});
