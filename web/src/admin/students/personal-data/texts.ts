import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    exportEntry: 'Export data',
    exportTitle: 'Export {{name}}’s data',
    exportText:
      'The file contains everything stored about this student: account, all points with their reasons, past terms and sign-ins. It is for the student or the parents. Keep it safe.',
    exportLogged: 'The activity log records this export.',
    asPage: 'To read and print',
    asPageHint: 'A web page (HTML) that opens in any browser.',
    asData: 'For other programs',
    asDataHint: 'A data file (JSON).',
    format: 'File',
    download: 'Download',
    fileName: '{{username}} personal data',
    exported: 'The file was downloaded.',
    eraseEntry: 'Erase personal data',
    eraseTitle: 'Erase {{name}}’s personal data?',
    eraseGoes:
      'Erased: name, username, email, password and sign-ins, and the reason of every record, including past terms.',
    eraseStays:
      'Kept: points, totals and rankings, under the name “{{pseudonym}}”. The class’s totals don’t change.',
    eraseFinal: 'This can’t be undone, and nobody can sign in to this account again.',
    eraseConfirm: 'Erase for good',
    erased: 'The personal data was erased.',
  },
  zh: {
    exportEntry: '导出数据',
    exportTitle: '导出{{name}}的数据',
    exportText:
      '包含系统中保存的该学生的全部信息：账号、所有积分记录及理由、历史学期、登录情况。供学生本人或家长查阅，请妥善保管。',
    exportLogged: '本次导出会记入操作日志。',
    asPage: '阅读和打印',
    asPageHint: '网页文件（HTML），任何浏览器都能打开。',
    asData: '供其他程序使用',
    asDataHint: '数据文件（JSON）。',
    format: '文件',
    download: '下载',
    fileName: '{{username}} 个人信息',
    exported: '文件已下载。',
    eraseEntry: '清除个人信息',
    eraseTitle: '清除{{name}}的个人信息？',
    eraseGoes: '将清除：姓名、用户名、邮箱、密码和登录情况，以及每条记录的理由（包括历史学期）。',
    eraseStays: '将保留：积分、总分和排名，以“{{pseudonym}}”显示。班级总分不变。',
    eraseFinal: '清除后无法恢复，任何人都不能再登录该账号。',
    eraseConfirm: '永久清除',
    erased: '个人信息已清除。',
  },
});
