import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My account',
    aboutMe: 'Your details',
    role: 'Role',
    everySchool: 'All schools',
    aboutHint: 'Only an administrator above you can change these.',
    passwordTitle: 'Password',
    passwordText: 'Changing it signs you out on other devices. This page stays open.',
    appearanceTitle: 'Language and appearance',
    appearanceText: 'Saved in this browser only.',
    language: 'Language',
    appearance: 'Appearance',
    leaveTitle: 'Done for today?',
    leaveText: 'On a shared computer, sign out before you go.',
  },
  zh: {
    title: '我的账号',
    aboutMe: '账号信息',
    role: '角色',
    everySchool: '全部学校',
    aboutHint: '如需修改，请联系上级管理员。',
    passwordTitle: '密码',
    passwordText: '修改后，其他设备上的登录会全部失效，当前页面不受影响。',
    appearanceTitle: '语言与外观',
    appearanceText: '仅保存在此浏览器中。',
    language: '语言',
    appearance: '外观',
    leaveTitle: '使用完毕？',
    leaveText: '在公用电脑上，离开前请退出登录。',
  },
});
