import { defineTexts } from '../i18n/texts.ts';

/** Loaded with the buttons, which most schools do not have. */
export const providerTexts = defineTexts({
  en: {
    or: 'or',
    signInAt: 'Sign in with {{name}}',
    confirmAt: 'Confirm with {{name}}',
    onlyHere: 'Your school signs in here. It has switched passwords off.',
    otherSchool: 'Another school',
    askSchool: 'Sign in with your school’s account',
    codeHint: 'For example school_7. Ask your school if you don’t know it.',
    none: 'This school has no sign-in service of its own. Check the code, or use your password.',
  },
  zh: {
    or: '或',
    signInAt: '使用{{name}}登录',
    confirmAt: '使用{{name}}确认',
    onlyHere: '请从这里登录，学校已关闭密码登录。',
    otherSchool: '切换学校',
    askSchool: '使用学校账号登录',
    codeHint: '例如 school_7，不清楚请询问学校。',
    none: '该学校没有自己的登录服务，请检查代码，或使用密码登录。',
  },
});
