import { defineTexts } from '../i18n/texts.ts';

export const sessionTexts = defineTexts({
  unknownDevice: ['Unknown device', '未知设备'],
  thisDevice: ['This device', '本机'],
  sharedComputer: ['Shared computer', '公用电脑'],
  inUse: ['In use now', '正在使用'],
  lastUsed: ['Last used {{when}}', '上次使用：{{when}}'],
  signedInOn: ['Signed in {{when}}', '登录于 {{when}}'],
  with_passkey: ['with a passkey', '使用通行密钥'],
  with_provider: ['through the school’s sign-in service', '通过学校的登录服务'],
  with_code: ['with a code from a slip', '使用密码条上的二维码'],
  end: ['Sign out', '退出'],
  endOf: ['Sign out {{device}}', '退出 {{device}}'],
  endOthers: ['Sign out everywhere else', '退出其他所有设备'],
  noEvents: ['Nothing yet.', '暂无记录。'],
  onlyHere: ['You aren’t signed in on any other device.', '没有在其他设备上登录。'],
});
