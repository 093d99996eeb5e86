import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['My account', '我的账号'],
  aboutMe: ['Your details', '账号信息'],
  role: ['Role', '角色'],
  everySchool: ['All schools', '全部学校'],
  aboutHint: ['To change these, ask an administrator with a higher role.', '如需修改，请联系上级管理员。'],
  passwordTitle: ['Password', '密码'],
  passwordText: [
    'When you change it, you are signed out on your other devices. This page stays open.',
    '修改后，其他设备会退出登录，当前页面不受影响。',
  ],
  sessionsTitle: ['Where you’re signed in', '已登录的设备'],
  sessionsText: [
    'If you don’t recognise a device, sign it out and change your password.',
    '如有不认识的设备，请将其退出登录，并修改密码。',
  ],
  ended: ['The device was signed out.', '已退出该设备。'],
  endedOthers: [
    'Signed out on {{count}} other device.',
    'Signed out on {{count}} other devices.',
    '已退出其他 {{count}} 台设备。',
  ],
  eventsTitle: ['Security events', '安全记录'],
  eventsText: [
    'Sign-ins, failed attempts and changes to your account.',
    '您账号的登录、失败尝试和修改记录。',
  ],
  toActivity: ['Show all in the activity log', '在操作日志中查看全部'],
  appearanceTitle: ['Language and appearance', '语言与外观'],
  appearanceText: ['Saved in this browser only.', '仅保存在此浏览器中。'],
  language: ['Language', '语言'],
  appearance: ['Appearance', '外观'],
  leaveTitle: ['Done for today?', '用完了？'],
  leaveText: ['On a shared computer, sign out before you go.', '在公用电脑上，离开前请退出登录。'],
});
