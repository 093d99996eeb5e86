import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'API credentials',
    description: 'Let other programs work with your data.',
  },
  zh: {
    title: 'API 凭证',
    description: '让其他程序使用您的数据。',
  },
});
