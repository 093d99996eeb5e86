import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Applications',
    description: 'Schools that would like to take part.',
  },
  zh: {
    title: '入驻申请',
    description: '申请加入的学校。',
  },
});
