import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My points',
  },
  zh: {
    title: '我的积分',
  },
});
