import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Grades and classes',
    description: 'How the school is organised.',
  },
  zh: {
    title: '年级与班级',
    description: '学校的组织结构。',
  },
});
