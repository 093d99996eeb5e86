import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Student sign-in', '学生登录'],
  signingIn: ['Signing you in…', '正在登录…'],
  someoneElse: ['{{name}} is signed in on this device.', '本机已登录{{name}}的账号。'],
  whose: [
    'If the code is yours, sign in with it. {{name}} will then be signed out on this device.',
    '如果二维码是你的，请继续登录，{{name}}的账号将在本机退出。',
  ],
  useCode: ['Sign in with the code', '继续登录'],
  stayAs: ['Stay signed in as {{name}}', '继续使用{{name}}的账号'],
  usedTitle: ['This code no longer works', '二维码已失效'],
  usedText: [
    'A code works only once. Sign in with your username and password, or ask your teacher for a new slip.',
    '每个二维码只能用一次。请用用户名和密码登录，或请老师重新发一张密码条。',
  ],
  usedTextStay: [
    'A code works only once. Ask your teacher for a new slip.',
    '每个二维码只能用一次，请老师重新发一张密码条。',
  ],
});
