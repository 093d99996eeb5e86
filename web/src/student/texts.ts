import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    navigation: 'Sections',
    home: 'Home',
    records: 'Records',
    news: 'News',
    account: 'Account',
    offline: 'No connection to the server. This page may be out of date.',
    noNetworkTitle: 'No connection to the server',
    noNetworkHint:
      'For privacy, points are not stored on this device. They appear when the connection is back.',
    lostTitle: 'Page not found',
    lostHint: 'The address may be wrong, or the page no longer exists.',
    toHome: 'Go to home',
    noReason: 'No reason given',
  },
  zh: {
    navigation: '栏目',
    home: '首页',
    records: '记录',
    news: '公告',
    account: '我的',
    offline: '无法连接服务器，显示的内容可能不是最新的。',
    noNetworkTitle: '无法连接服务器',
    noNetworkHint: '为保护隐私，积分不会保存在此设备上。连接恢复后会自动显示。',
    lostTitle: '找不到页面',
    lostHint: '地址可能有误，或页面已不存在。',
    toHome: '返回首页',
    noReason: '未填写理由',
  },
});
