import { defineTexts } from '../i18n/texts.ts';

/** For signing in with a second factor; separate from the texts that everyone loads. */
export const factorTexts = defineTexts({
  en: {
    codeTitle: 'One more step',
    codeText: 'Enter the current code from your authenticator app.',
    code: 'Code',
    recoveryText: 'Enter one of the recovery codes you saved. Each works once.',
    recoveryCode: 'Recovery code',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the authenticator app',
    wrongCode: 'This code is wrong or was already used. Wait for the next one, then try again.',
    wrongRecovery: 'This recovery code is wrong or was already used. Try another one.',
    lost: 'Lost your phone and your recovery codes? Ask your administrator to reset them.',
    withPasskey: 'Sign in with a passkey',
    confirmWithPasskey: 'Confirm with a passkey',
    noPasskey: 'No passkey was used. Try again, or use your password.',
    unknownPasskey:
      'This passkey isn’t registered here, or it took too long. Try again, or use your password.',
  },
  zh: {
    codeTitle: '还差一步',
    codeText: '请输入验证器应用当前显示的验证码。',
    code: '验证码',
    recoveryText: '请输入您保存的恢复码，每个只能使用一次。',
    recoveryCode: '恢复码',
    useRecovery: '使用恢复码',
    useApp: '使用验证器应用',
    wrongCode: '验证码不正确或已使用过，请等待下一个验证码后重试。',
    wrongRecovery: '恢复码不正确或已使用过，请换一个重试。',
    lost: '手机和恢复码都丢失了？请联系上级管理员重置。',
    withPasskey: '使用通行密钥登录',
    confirmWithPasskey: '使用通行密钥确认',
    noPasskey: '未使用通行密钥。请重试，或使用密码。',
    unknownPasskey: '此通行密钥未在本系统登记，或操作超时。请重试，或使用密码。',
  },
});
