import { defineTexts } from '../i18n/texts.ts';

export const reachTexts = defineTexts({
  en: {
    reach: 'Scope',
    thisSchool: 'This school',
    everything: 'All schools',
  },
  zh: {
    reach: '显示范围',
    thisSchool: '本校',
    everything: '全部学校',
  },
});
