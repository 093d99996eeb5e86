import { defineTexts } from '../i18n/texts.ts';

/** Separate from the sign-in texts, because most schools have no sign-in service. */
export const providerTexts = defineTexts({
  en: {
    or: 'or',
    signInAt: 'Sign in with {{name}}',
    confirmAt: 'Confirm with {{name}}',
    onlyHere: 'Sign in here. Your school has switched off passwords.',
    otherSchool: 'Change school',
    askSchool: 'Sign in with your school account',
    codeHint: 'For example school_7. Ask your school if you don’t know it.',
    none: 'This school has no sign-in service. Check the school code, or use your password.',
  },
  zh: {
    or: '或',
    signInAt: '使用{{name}}登录',
    confirmAt: '使用{{name}}确认',
    onlyHere: '请从这里登录，学校已关闭密码登录。',
    otherSchool: '切换学校',
    askSchool: '使用学校账号登录',
    codeHint: '例如 school_7，不清楚请询问学校。',
    none: '该学校没有设置登录服务。请检查学校代码，或使用密码登录。',
  },
});
