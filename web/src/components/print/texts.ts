import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    reading: 'Preparing to print: {{done, number}} of {{total, number}}…',
    tooMany:
      '{{count, number}} rows are too many to print; at most {{max, number}} are possible. Filter the list, or export it.',
    failed: 'Printing failed',
    rows_one: '{{count, number}} row',
    rows_other: '{{count, number}} rows',
    rowsMissing_one: '{{count, number}} entry is missing because the list changed meanwhile.',
    rowsMissing_other: '{{count, number}} entries are missing because the list changed meanwhile.',
    printedAt: 'Printed {{when}}',
    filters: 'Filters: {{filters}}',
    partOfList: 'This is a part of the list: {{from, number}}–{{to, number}} of {{total, number}}.',
    wholeByButton: 'The Print button of the page prints all of it.',
  },
  zh: {
    reading: '正在准备打印：{{done, number}} / {{total, number}}…',
    tooMany: '共 {{count, number}} 行，超出一次可打印的 {{max, number}} 行。请先筛选，或改用导出。',
    failed: '打印失败',
    rows_other: '共 {{count, number}} 行',
    rowsMissing_other: '期间数据有变动，缺少 {{count, number}} 条。',
    printedAt: '打印时间：{{when}}',
    filters: '筛选：{{filters}}',
    partOfList: '本页只是列表的一部分：第 {{from, number}}–{{to, number}} 条，共 {{total, number}} 条。',
    wholeByButton: '用页面上的“打印”按钮可打印全部。',
  },
});
