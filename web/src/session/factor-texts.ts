import { defineTexts } from '../i18n/texts.ts';

/** A file of its own, because most people sign in without a second factor. */
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
