import { defineTexts } from '../i18n/texts.ts';

/** A file of its own, because most schools have no sign-in service. */
export const providerTexts = defineTexts({
  or: ['or', '或'],
  signInAt: ['Sign in with {{name}}', '使用{{name}}登录'],
  confirmAt: ['Confirm with {{name}}', '使用{{name}}确认'],
  onlyHere: ['Sign in here. Your school has switched off passwords.', '请从这里登录，学校已关闭密码登录。'],
  otherSchool: ['Change school', '切换学校'],
  askSchool: ['Sign in with your school account', '使用学校账号登录'],
  codeHint: [
    'For example school_7. Ask your school if you don’t know it.',
    '例如 school_7，不清楚请询问学校。',
  ],
  none: [
    'This school has no sign-in service. Check the school code, or use your password.',
    '该学校没有设置登录服务。请检查学校代码，或使用密码登录。',
  ],
});
