import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Administrators',
    description: 'Who may do what.',
  },
  zh: {
    title: '管理员',
    description: '谁可以做什么。',
  },
});
