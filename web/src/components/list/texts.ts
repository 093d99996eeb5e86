import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  filters: ['Filters', '筛选'],
  clearFilters: ['Clear filters', '清除筛选'],
  noMatchTitle: ['No results', '没有结果'],
  noMatchHint: ['Remove a filter or try another search.', '请减少筛选条件，或换个条件查找。'],
  goneFilterTitle: ['This filter no longer applies', '筛选条件已失效'],
  goneFilterHint: [
    'The grade, class or term was deleted, or you are not responsible for it. Clear the filters to see the list.',
    '所选的年级、班级等可能已删除，或不在您的负责范围内。清除筛选即可查看列表。',
  ],
  actionsFor: ['Actions for {{name}}', '{{name}} 的操作'],
  selected: ['{{count, number}} selected', '{{count, number}} selected', '已选 {{count, number}} 项'],
  selectAllMatching: ['Select all {{count, number}}', '选择全部 {{count, number}} 项结果'],
  clearSelection: ['Clear selection', '取消选择'],
  rangeOf: [
    '{{from, number}}–{{to, number}} of {{total, number}}',
    '第 {{from, number}}–{{to, number}} 条，共 {{total, number}} 条',
  ],
  pagesOf: ['Pages: {{list}}', '{{list}}分页'],
  previousPage: ['Previous page', '上一页'],
  nextPage: ['Next page', '下一页'],
  sortBy: ['Sort by {{column}}', '按{{column}}排序'],
  order: ['Order', '排序'],
  ascending: ['Ascending (tap to reverse)', '升序（点按切换）'],
  descending: ['Descending (tap to reverse)', '降序（点按切换）'],
  selectRow: ['Select row', '选择此行'],
  selectRowNamed: ['Select row: {{name}}', '选择此行：{{name}}'],
  selectAll: ['Select all on this page', '选择本页全部'],
  saveXlsx: ['Export as Excel (XLSX)', '导出 Excel 文件（XLSX）'],
  saveCsv: ['Export as CSV', '导出 CSV 文件'],
  savingTable: [
    'Exporting {{done, number}} of {{total, number}}…',
    '正在导出 {{done, number}} / {{total, number}}…',
  ],
  savedTable: [
    '{{count, number}} row exported.',
    '{{count, number}} rows exported.',
    '已导出 {{count, number}} 行。',
  ],
  saveTableFailed: ['Export failed', '导出失败'],
  onlyCsv: [
    'Lists of more than {{max, number}} rows are exported as CSV. Excel opens CSV files too.',
    '超过 {{max, number}} 行，只能导出 CSV（可用 Excel 打开）。',
  ],
  savedAsCsv: [
    'Exported as CSV because there are more than {{max, number}} rows. Excel opens it too.',
    '超过 {{max, number}} 行，已导出为 CSV（可用 Excel 打开）。',
  ],
  graduates: [
    'You can view and export graduates’ data, but not change it.',
    '毕业生的数据只能查看和导出，不能修改。',
  ],
});
