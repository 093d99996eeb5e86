import { defineTexts } from '../../../i18n/texts.ts';
import type { groupOfAction, LoggedAction } from '../actions/action-groups.ts';

type Groups = typeof groupOfAction;

type OwnEvent = {
  [A in LoggedAction]: Groups[A] extends 'accounts' | 'credentials' ? A : never;
}[LoggedAction];

export const ownEventTexts = defineTexts({
  en: {
    changeMyPassword: 'You changed your password',
    signedIn: 'You signed in',
    signInFailed: 'Someone tried to sign in as you and failed',
    confirmed: 'You confirmed your identity',
    confirmationFailed: 'Someone tried to confirm your identity and failed',
    recoveryCodeUsed: 'You signed in with a recovery code',
    passkeyCloned: 'A copy of your passkey was refused',
    confirmCodeApp: 'You set up an authenticator app',
    removeCodeApp: 'You removed your authenticator app',
    createRecoveryCodes: 'You created new recovery codes',
    addPasskey: 'You added a passkey',
    renamePasskey: 'You renamed a passkey',
    removePasskey: 'You removed a passkey',
    sessionEnded: 'You signed out one of your devices',
    otherSessionsEnded: 'You signed out all your other devices',
    passwordReset: 'Your password was reset',
    codeAsked: 'Password entered correctly, code requested',
    secondFactorReset: 'Your second factor was reset',
    unbound: 'Your account was unlinked from single sign-on',
    issueCredential: 'You issued an API credential',
    updateCredential: 'You changed an API credential',
    revokeCredential: 'You revoked an API credential',
    updateCredentialWebhook: 'You paused or resumed a webhook',
    deleteCredentialWebhook: 'You deleted a webhook',
    replayDeliveries: 'You sent changes to a webhook again',
    webhookStopped: 'A webhook of your credential was stopped',
    webhookMissed: 'A webhook of your credential missed changes',
  } satisfies Record<OwnEvent, string>,
  zh: {
    changeMyPassword: '您修改了密码',
    signedIn: '您登录了',
    signInFailed: '有人尝试登录您的账号，未成功',
    confirmed: '您已确认本人身份',
    confirmationFailed: '有人尝试确认您的身份，未成功',
    recoveryCodeUsed: '您使用了恢复码登录',
    passkeyCloned: '您的通行密钥疑似被复制，已拒绝',
    confirmCodeApp: '您启用了验证器应用',
    removeCodeApp: '您停用了验证器应用',
    createRecoveryCodes: '您重新生成了恢复码',
    addPasskey: '您添加了通行密钥',
    renamePasskey: '您重命名了通行密钥',
    removePasskey: '您删除了通行密钥',
    sessionEnded: '您退出了自己的一台设备',
    otherSessionsEnded: '您退出了自己的其他所有设备',
    passwordReset: '您的密码被重置了',
    codeAsked: '密码正确，等待输入验证码',
    secondFactorReset: '您的二次验证被重置了',
    unbound: '您的单点登录绑定被解除了',
    issueCredential: '您新建了 API 凭证',
    updateCredential: '您修改了 API 凭证',
    revokeCredential: '您吊销了 API 凭证',
    updateCredentialWebhook: '您暂停或恢复了 Webhook',
    deleteCredentialWebhook: '您删除了 Webhook',
    replayDeliveries: '您重新发送了 Webhook 变动',
    webhookStopped: '您凭证的 Webhook 已被停止',
    webhookMissed: '您凭证的 Webhook 未收到部分变动',
  },
});

/** Returns whether an action of the log affects who can sign in. */
export function isOwnEvent(action: string): action is OwnEvent {
  return Object.hasOwn(ownEventTexts.en, action);
}
