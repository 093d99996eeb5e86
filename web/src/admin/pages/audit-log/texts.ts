import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Audit log',
    description: 'What programs have asked for.',
  },
  zh: {
    title: '审计日志',
    description: '程序调用的记录。',
  },
});
