import { defineTexts } from '../i18n/texts.ts';

/** Apart from those of signing in, which everyone loads. */
export const passwordTexts = defineTexts({
  en: {
    oldPassword: 'Current password',
    newPassword: 'New password',
    newPasswordHint_one:
      'At least {{count}} character. A short sentence is easy to remember and hard to guess.',
    newPasswordHint_other:
      'At least {{count}} characters. A short sentence is easy to remember and hard to guess.',
    repeatPassword: 'Repeat new password',
    tooShort_one: 'Use at least {{count}} character.',
    tooShort_other: 'Use at least {{count}} characters.',
    notTheSame: 'The passwords don’t match.',
    sameAsOld: 'This is your current password.',
    wrongOld: 'The current password is wrong. Check it, then try again.',
    changePassword: 'Change password',
    changed: 'Password changed. You’re signed out on other devices.',
  },
  zh: {
    oldPassword: '当前密码',
    newPassword: '新密码',
    newPasswordHint_other: '至少 {{count}} 个字符。建议用一句话，好记又难猜。',
    repeatPassword: '再次输入新密码',
    tooShort_other: '至少需要 {{count}} 个字符。',
    notTheSame: '两次输入的密码不一致。',
    sameAsOld: '新密码与当前密码相同。',
    wrongOld: '当前密码不正确，请检查后重试。',
    changePassword: '修改密码',
    changed: '密码已修改，其他设备上的登录已失效。',
  },
});
