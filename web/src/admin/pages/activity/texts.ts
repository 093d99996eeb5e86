import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Activity',
    description: 'What administrators have done.',
  },
  zh: {
    title: '操作记录',
    description: '管理员做过的操作。',
  },
});
