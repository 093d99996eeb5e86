import { defineTexts, type Entry } from '../../../i18n/texts.ts';
import type { ActionsByGroup } from '../action-texts.ts';

export const texts = defineTexts({
  title: ['My account', '我的账号'],
  aboutMe: ['Your details', '账号信息'],
  role: ['Role', '角色'],
  everySchool: ['All schools', '全部学校'],
  aboutHint: ['To change these, ask an administrator with a higher role.', '如需修改，请联系上级管理员。'],
  passwordText: [
    'When you change it, you are signed out on your other devices. This page stays open.',
    '修改后，其他设备会退出登录，当前页面不受影响。',
  ],
  sessionsTitle: ['Where you’re signed in', '已登录的设备'],
  sessionsText: [
    'If you don’t recognise a device, sign it out and change your password.',
    '如有不认识的设备，请将其退出登录，并修改密码。',
  ],
  ended: ['The device was signed out.', '已退出该设备。'],
  endedOthers: [
    'Signed out on {{count}} other device.',
    'Signed out on {{count}} other devices.',
    '已退出其他 {{count}} 台设备。',
  ],
  eventsTitle: ['Security events', '安全记录'],
  eventsText: [
    'Sign-ins, failed attempts and changes to your account.',
    '您账号的登录、失败尝试和修改记录。',
  ],
  toActivity: ['Show all in the activity log', '在操作日志中查看全部'],
  leaveTitle: ['Done for today?', '用完了？'],
  leaveText: ['On a shared computer, sign out before you go.', '在公用电脑上，离开前请退出登录。'],
});

/** A security event of one's own account. */
export type OwnEvent = keyof ActionsByGroup['accounts'] | keyof ActionsByGroup['credentials'];

export const ownEventTexts = defineTexts({
  changeMyPassword: ['You changed your password', '您修改了密码'],
  signedIn: ['You signed in', '您登录了'],
  signInFailed: ['Someone tried to sign in as you and failed', '有人尝试登录您的账号，未成功'],
  confirmed: ['You confirmed your identity', '您已确认本人身份'],
  confirmationFailed: ['Someone tried to confirm your identity and failed', '有人尝试确认您的身份，未成功'],
  recoveryCodeUsed: ['You signed in with a recovery code', '您使用了恢复码登录'],
  passkeyCloned: ['A copy of your passkey was refused', '您的通行密钥疑似被复制，已拒绝'],
  confirmCodeApp: ['You set up an authenticator app', '您启用了验证器应用'],
  removeCodeApp: ['You removed your authenticator app', '您停用了验证器应用'],
  createRecoveryCodes: ['You created new recovery codes', '您重新生成了恢复码'],
  addPasskey: ['You added a passkey', '您添加了通行密钥'],
  renamePasskey: ['You renamed a passkey', '您重命名了通行密钥'],
  removePasskey: ['You removed a passkey', '您删除了通行密钥'],
  sessionEnded: ['You signed out one of your devices', '您退出了自己的一台设备'],
  otherSessionsEnded: ['You signed out all your other devices', '您退出了自己的其他所有设备'],
  passwordReset: ['Your password was reset', '您的密码被重置了'],
  codeAsked: ['Password entered correctly, code requested', '密码正确，等待输入验证码'],
  secondFactorReset: ['Your second factor was reset', '您的二次验证被重置了'],
  unbound: ['Your account was unlinked from single sign-on', '您的单点登录绑定被解除了'],
  issueCredential: ['You issued an API credential', '您新建了 API 凭证'],
  updateCredential: ['You changed an API credential', '您修改了 API 凭证'],
  revokeCredential: ['You revoked an API credential', '您吊销了 API 凭证'],
  updateCredentialWebhook: ['You paused or resumed a webhook', '您暂停或恢复了 Webhook'],
  deleteCredentialWebhook: ['You deleted a webhook', '您删除了 Webhook'],
  replayDeliveries: ['You sent changes to a webhook again', '您重新发送了 Webhook 变更'],
  webhookStopped: ['A webhook of your credential was stopped', '您凭证的 Webhook 已被停止'],
  webhookMissed: ['A webhook of your credential missed changes', '您凭证的 Webhook 未收到部分变更'],
} satisfies Record<OwnEvent, Entry>);
