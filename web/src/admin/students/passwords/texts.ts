import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  shownOnce: [
    'Shown only once. It can’t be viewed later, only reset.',
    '只显示这一次，之后无法查看，只能重置。',
  ],
  leave: ['Leave', '离开'],
  saveNow: [
    'Save the password of {{count, number}} student now',
    'Save the passwords of {{count, number}} students now',
    '请立即保存 {{count, number}} 名学生的密码',
  ],
  saveNowStaff: [
    'Save the password of {{count, number}} account now',
    'Save the passwords of {{count, number}} accounts now',
    '请立即保存 {{count, number}} 个账号的密码',
  ],
  keepThem: [
    'Print or download them before you leave this page. They can’t be viewed later, only reset.',
    '离开前请打印或下载，之后无法查看，只能重置。',
  ],
  savedTitle: ['Passwords saved', '密码已保存'],
  columnName: ['Name', '姓名'],
  copyPassword: ['Copy password', '复制密码'],
  printSlip: ['Print slip', '打印密码条'],
  printSlips: ['Print slips', '打印密码条'],
  downloadXlsx: ['Download XLSX', '下载 XLSX'],
  downloadCsv: ['Download CSV', '下载 CSV'],
  printFailed: [
    'The slips couldn’t be created. Check the network and try again.',
    '密码条生成失败，请检查网络后重试。',
  ],
  downloadFailed: [
    'The file couldn’t be created. Try the other format, or print the slips.',
    '文件生成失败。请换一种格式，或打印密码条。',
  ],
  didPrint: ['Did all slips print?', '密码条都打印出来了吗？'],
  havePrinted: ['Yes', '已全部打印'],
  savedHint: [
    'Keep the file or the slips in a safe place until you hand them out.',
    '分发之前，请妥善保管文件或密码条。',
  ],
  slipSheet: ['Sheet {{n, number}} of {{of, number}}', '第 {{n, number}} 张，共 {{of, number}} 张'],
  slipScan: [
    'Scan the code (it works once), or open {{address}} and sign in.',
    '扫描二维码（仅限一次），或打开 {{address}} 登录。',
  ],
  slipOpen: ['Open {{address}} and sign in.', '打开 {{address}} 登录。'],
  slipChoose: ['Choose your own password soon. Keep it secret.', '请尽快设置自己的密码，不要告诉别人。'],
  slipChooseBy: [
    'Choose your own password before {{day}}, when this one expires. Keep it secret.',
    '此密码将于{{day}}失效，请在此之前设置自己的密码，不要告诉别人。',
  ],
  slipCode: ['One-time sign-in code', '一次性登录二维码'],
  fileName: ['passwords', '初始密码'],
  leaveTitle: ['Leave without the passwords?', '不保存密码就离开？'],
  leaveText: [
    'You have not printed or downloaded them. They can’t be shown again; you would have to reset each one.',
    '密码尚未打印或下载，以后无法再显示，只能逐个重置。',
  ],
});
