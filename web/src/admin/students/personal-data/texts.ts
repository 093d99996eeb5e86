import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  exportEntry: ['Export data', '导出数据'],
  exportTitle: ['Export {{name}}’s data', '导出{{name}}的数据'],
  exportText: [
    'The file contains everything stored about this student: account, all points with their reasons, past terms and sign-ins. It is for the student or the parents. Keep it safe.',
    '包含系统中保存的该学生的全部信息：账号、所有积分记录及理由、历史学期、登录情况。供学生本人或家长查阅，请妥善保管。',
  ],
  exportLogged: ['The activity log records this export.', '本次导出会记入操作日志。'],
  asPage: ['To read and print', '阅读和打印'],
  asPageHint: ['A web page (HTML) that opens in any browser.', '网页文件（HTML），任何浏览器都能打开。'],
  asData: ['For other programs', '供其他程序使用'],
  asDataHint: ['A data file (JSON).', '数据文件（JSON）。'],
  format: ['File', '文件'],
  download: ['Download', '下载'],
  fileName: ['{{username}} personal data', '{{username}} 个人信息'],
  exported: ['The file was downloaded.', '文件已下载。'],
  eraseEntry: ['Erase personal data', '清除个人信息'],
  eraseTitle: ['Erase {{name}}’s personal data?', '清除{{name}}的个人信息？'],
  eraseGoes: [
    'Erased: name, username, email, password and sign-ins, and the reason of every record, including past terms.',
    '将清除：姓名、用户名、邮箱、密码和登录情况，以及每条记录的理由（包括历史学期）。',
  ],
  eraseStays: [
    'Kept: points, totals and rankings, under the name “{{pseudonym}}”. The class’s totals don’t change.',
    '将保留：分值、总积分和排名，以“{{pseudonym}}”显示。班级总积分不变。',
  ],
  eraseFinal: [
    'This can’t be undone, and nobody can sign in to this account again.',
    '清除后无法恢复，任何人都不能再登录该账号。',
  ],
  eraseConfirm: ['Erase for good', '永久清除'],
  erased: ['The personal data was erased.', '个人信息已清除。'],
});
