import { defineTexts } from '../i18n/texts.ts';

/** A file of its own, because most people sign in without a second factor, and need not confirm that it’s them. */
export const factorTexts = defineTexts({
  codeTitle: ['One more step', '还差一步'],
  codeText: ['Enter the current code from your authenticator app.', '请输入验证器应用当前显示的验证码。'],
  code: ['Code', '验证码'],
  recoveryText: [
    'Enter one of the recovery codes you saved. Each works once.',
    '请输入您保存的恢复码，每个只能使用一次。',
  ],
  recoveryCode: ['Recovery code', '恢复码'],
  useRecovery: ['Use a recovery code', '使用恢复码'],
  useApp: ['Use the authenticator app', '使用验证器应用'],
  wrongCode: [
    'This code is wrong or was already used. Wait for the next one, then try again.',
    '验证码不正确或已使用过，请等待下一个验证码后重试。',
  ],
  wrongRecovery: [
    'This recovery code is wrong or was already used. Try another one.',
    '恢复码不正确或已使用过，请换一个重试。',
  ],
  lost: [
    'Lost your phone and your recovery codes? Ask your administrator to reset them.',
    '手机和恢复码都丢失了？请联系上级管理员重置。',
  ],
  withPasskey: ['Sign in with a passkey', '使用通行密钥登录'],
  confirmWithPasskey: ['Confirm with a passkey', '使用通行密钥确认'],
  noPasskey: [
    'No passkey was used. Try again, or use your password.',
    '未使用通行密钥。请重试，或使用密码。',
  ],
  unknownPasskey: [
    'This passkey isn’t registered here, or it took too long. Try again, or use your password.',
    '此通行密钥未在本系统登记，或操作超时。请重试，或使用密码。',
  ],
});

export const confirmTexts = defineTexts({
  confirmTitle: ['Confirm that it’s you', '请确认是您本人'],
  confirmText: [
    'You signed in a while ago. For security, please confirm before you continue. Your entries are kept.',
    '距离上次登录已有一段时间，此操作需要再次确认身份。您填写的内容不会丢失。',
  ],
  confirm: ['Confirm', '确认'],
  wrongPassword: ['Wrong password. Check it, then try again.', '密码不正确，请检查后重试。'],
});
