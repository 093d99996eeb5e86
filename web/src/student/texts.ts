import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    navigation: 'Sections',
    home: 'Home',
    records: 'Records',
    class: 'Class',
    news: 'News',
    account: 'Account',
    offline: 'You are offline. What you see may be out of date.',
    noReason: 'No reason given',
  },
  zh: {
    navigation: '栏目',
    home: '首页',
    records: '记录',
    class: '班级',
    news: '公告',
    account: '我的',
    offline: '当前没有网络，显示的内容可能不是最新的。',
    noReason: '未填写理由',
  },
});
