import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['My account', '我的账号'],
  profile: ['Profile', '个人信息'],
  name: ['Name', '姓名'],
  display: ['Display', '显示'],
  install: ['Add to home screen', '添加到主屏幕'],
  installText: ['Opens like an app.', '像应用一样打开 Classledger，不显示浏览器界面。'],
  installButton: ['Install the app', '安装应用'],
  installIos: [
    'Tap Safari’s share button, then “Add to Home Screen”.',
    '点按 Safari 的分享按钮，再选“添加到主屏幕”。',
  ],
  installMenu: ['Choose “Add to home screen” in your browser’s menu.', '在浏览器菜单中选择“添加到主屏幕”。'],
  changePassword: ['Change password', '修改密码'],
  sessions: ['Where you’re signed in', '已登录的设备'],
  sessionsHint: [
    'Don’t know a device? Sign it out, then change your password.',
    '有不认识的设备？先让它退出，再修改密码。',
  ],
  events: ['Recent account activity', '安全记录'],
  signedIn: ['You signed in', '你登录了'],
  signInFailed: ['Someone typed a wrong password', '有人输错了密码'],
  confirmationFailed: ['Wrong current password during a password change', '修改密码时，当前密码输入错误'],
  passwordChanged: ['You changed your password', '你修改了密码'],
  passwordReset: ['Your teacher gave you a new password', '老师给了你新密码'],
  unbound: ['Your teacher unlinked your school account', '老师解除了你的学校账号绑定'],
  sessionEnded: ['You signed out one device', '你退出了一台设备'],
  otherSessionsEnded: ['You signed out your other devices', '你退出了其他所有设备'],
});
