import { defineTexts } from '../i18n/texts.ts';

/** A file of its own, because most people sign in without needing these texts. */
export const confirmTexts = defineTexts({
  confirmTitle: ['Confirm that it’s you', '请确认是您本人'],
  confirmText: [
    'You signed in a while ago. For security, please confirm before you continue. Your entries are kept.',
    '距离上次登录已有一段时间，此操作需要再次确认身份。您填写的内容不会丢失。',
  ],
  confirm: ['Confirm', '确认'],
  wrongPassword: ['Wrong password. Check it, then try again.', '密码不正确，请检查后重试。'],
});
