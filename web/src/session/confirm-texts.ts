import { defineTexts } from '../i18n/texts.ts';

/** Separate from the sign-in texts, which everyone loads. */
export const confirmTexts = defineTexts({
  en: {
    confirmTitle: 'Confirm that it’s you',
    confirmText:
      'You signed in a while ago. For security, please confirm before you continue. Your entries are kept.',
    confirm: 'Confirm',
    wrongPassword: 'Wrong password. Check it, then try again.',
  },
  zh: {
    confirmTitle: '请确认是您本人',
    confirmText: '距离上次登录已有一段时间，此操作需要再次确认身份。您填写的内容不会丢失。',
    confirm: '确认',
    wrongPassword: '密码不正确，请检查后重试。',
  },
});
