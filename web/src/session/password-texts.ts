import { defineTexts } from '../i18n/texts.ts';

export const passwordTexts = defineTexts({
  oldPassword: ['Current password', '当前密码'],
  newPassword: ['New password', '新密码'],
  newPasswordHint: [
    'At least {{count}} character. A short sentence is easy to remember and hard to guess.',
    'At least {{count}} characters. A short sentence is easy to remember and hard to guess.',
    '至少 {{count}} 个字符。建议用一句话，好记又难猜。',
  ],
  repeatPassword: ['Repeat new password', '再次输入新密码'],
  tooShort: [
    'Use at least {{count}} character.',
    'Use at least {{count}} characters.',
    '至少需要 {{count}} 个字符。',
  ],
  notTheSame: ['The passwords don’t match.', '两次输入的密码不一致。'],
  sameAsOld: ['This is your current password.', '新密码与当前密码相同。'],
  wrongOld: ['The current password is wrong. Check it, then try again.', '当前密码不正确，请检查后重试。'],
  passwordSame: ['This is your current password. Choose another one.', '新密码与当前密码相同，请换一个。'],
  passwordRepeated: [
    'This password repeats a single character. Choose another one.',
    '不能只重复同一个字符，请换一个密码。',
  ],
  passwordCommon: [
    'This password is too common. Choose another one.',
    '这个密码太常见，容易被猜到，请换一个。',
  ],
  passwordPersonal: [
    'This password is made up of your name, username or school. Choose one that has nothing to do with you.',
    '密码由姓名、用户名或学校名组成，容易被猜到，请换一个。',
  ],
  changePassword: ['Change password', '修改密码'],
  strength0: ['Easy to guess.', '容易被猜到。'],
  strength1: ['Could be stronger.', '还可以更强。'],
  strength2: ['Good.', '不错。'],
  strength3: ['Very strong.', '很强。'],
  common: ['It contains a very common password.', '其中含有很常见的密码。'],
  aboutYou: ['Leave out your name, username and school.', '不要用姓名、用户名或学校名。'],
  rows: [
    'Sequences like 1234 or qwerty and repeats like aaaa are easy to guess.',
    '1234、qwerty 这样的连续字符或 aaaa 这样的重复字符容易被猜到。',
  ],
  longer: ['Add another word or two.', '建议再加一两个词。'],
  firstTitle: ['Choose your own password', '设置自己的密码'],
  firstTextAdmin: [
    'You signed in with an initial password. Now choose one that only you know. You do this only once.',
    '您使用的是初始密码，请设置只有您自己知道的新密码。只需设置一次。',
  ],
  firstTextStudent: [
    'Your teacher gave you an initial password. Now choose a secret one that only you know. Don’t tell anyone, not even your best friend.',
    '现在用的是老师发的初始密码。请换成只有你自己知道的密码，别告诉任何人，好朋友也不行。',
  ],
  givenPasswordAdmin: ['Initial password', '初始密码'],
  givenPasswordStudent: ['Password on your slip', '密码条上的密码'],
  notYouAdmin: ['Not you? Sign out', '不是您？退出登录'],
  notYouStudent: ['Not you? Sign out', '不是你？退出登录'],
  nowNeeded: [
    'You signed in a while ago. Enter the password from your slip as well.',
    '距离登录已有一段时间，请再输入密码条上的密码。',
  ],
  saveAndGo: ['Save and continue', '保存并继续'],
  changed: ['Password changed. You’re signed out on other devices.', '密码已修改，其他设备上的登录已失效。'],
});
