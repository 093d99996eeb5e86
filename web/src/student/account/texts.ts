import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My account',
    profile: 'Profile',
    name: 'Name',
    email: 'Email',
    display: 'Display',
    language: 'Language',
    scheme: 'Appearance',
    install: 'Add to home screen',
    installText: 'Opens like an app.',
    installButton: 'Install the app',
    installIos: 'Tap Safari’s share button, then “Add to Home Screen”.',
    installMenu: 'Choose “Add to home screen” in your browser’s menu.',
    changePassword: 'Change password',
  },
  zh: {
    title: '我的账号',
    profile: '个人信息',
    name: '姓名',
    email: '邮箱',
    display: '显示',
    language: '语言',
    scheme: '外观',
    install: '添加到主屏幕',
    installText: '像应用一样打开 Classledger，不显示浏览器界面。',
    installButton: '安装应用',
    installIos: '点按 Safari 的分享按钮，再选“添加到主屏幕”。',
    installMenu: '在浏览器菜单中选择“添加到主屏幕”。',
    changePassword: '修改密码',
  },
});
