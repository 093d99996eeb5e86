import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  navigation: ['Sections', '栏目'],
  home: ['Home', '首页'],
  records: ['Records', '记录'],
  news: ['News', '公告'],
  account: ['Account', '我的'],
  offline: [
    'No connection to the server. This page may be out of date.',
    '无法连接服务器，显示的内容可能不是最新的。',
  ],
  noNetworkTitle: ['No connection to the server', '无法连接服务器'],
  noNetworkHint: [
    'For privacy, points are not stored on this device. They appear when the connection is back.',
    '为保护隐私，积分不会保存在本机。连接恢复后会自动显示。',
  ],
  toHome: ['Go to home', '返回首页'],
  noReason: ['No reason given', '未填写理由'],
});
