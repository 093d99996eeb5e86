import { defineTexts } from '../i18n/texts.ts';

/** Separate from the sign-in texts, which everyone loads. */
export const sessionTexts = defineTexts({
  en: {
    unknownDevice: 'Unknown device',
    thisDevice: 'This device',
    sharedComputer: 'Shared computer',
    inUse: 'In use now',
    lastUsed: 'Last used {{when}}',
    signedInOn: 'Signed in {{when}}',
    withPasskey: 'with a passkey',
    withProvider: 'through the school’s sign-in service',
    withCode: 'with a code from a slip',
    end: 'Sign out',
    endOf: 'Sign out {{device}}',
    endOthers: 'Sign out everywhere else',
    noEvents: 'Nothing yet.',
    onlyHere: 'You aren’t signed in on any other device.',
  },
  zh: {
    unknownDevice: '未知设备',
    thisDevice: '本机',
    sharedComputer: '公用电脑',
    inUse: '正在使用',
    lastUsed: '上次使用：{{when}}',
    signedInOn: '登录于 {{when}}',
    withPasskey: '使用通行密钥',
    withProvider: '通过学校的登录服务',
    withCode: '使用密码条上的二维码',
    end: '退出',
    endOf: '退出 {{device}}',
    endOthers: '退出其他所有设备',
    noEvents: '暂无记录。',
    onlyHere: '没有在其他设备上登录。',
  },
});
