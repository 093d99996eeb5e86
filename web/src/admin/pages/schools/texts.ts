import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Schools',
    description: 'All schools of this installation.',
  },
  zh: {
    title: '学校',
    description: '本系统的全部学校。',
  },
});
