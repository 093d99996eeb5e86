import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    navigation: 'Sections',
    home: 'Home',
    records: 'Records',
    class: 'Class',
    news: 'News',
    account: 'Account',
  },
  zh: {
    navigation: '栏目',
    home: '首页',
    records: '记录',
    class: '班级',
    news: '公告',
    account: '我的',
  },
});
