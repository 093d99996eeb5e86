import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  reading: [
    'Preparing to print: {{done, number}} of {{total, number}}…',
    '正在准备打印：{{done, number}} / {{total, number}}…',
  ],
  tooMany: [
    'The list has {{count, number}} rows, but you can print at most {{max, number}}. Filter or export the list.',
    '共 {{count, number}} 行，超出一次可打印的 {{max, number}} 行。请先筛选，或改用导出。',
  ],
  failed: ['Printing failed', '打印失败'],
  rows: ['{{count, number}} row', '{{count, number}} rows', '共 {{count, number}} 行'],
  printedAt: ['Printed {{when}}', '打印时间：{{when}}'],
  filters: ['Filters: {{filters}}', '筛选：{{filters}}'],
  partOfList: [
    'This is only part of the list: {{from, number}}–{{to, number}} of {{total, number}}.',
    '本页只是列表的一部分：第 {{from, number}}–{{to, number}} 条，共 {{total, number}} 条。',
  ],
  wholeByButton: [
    'To print the whole list, use the Print button on the page.',
    '如需打印全部，请使用页面上的“打印”按钮。',
  ],
});
