import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  steps: ['Import steps', '导入步骤'],
  step_list: ['List', '名单'],
  step_columns: ['Columns', '对应列'],
  step_check: ['Check', '核对'],
  step_assign: ['Assign', '安排'],
  fromFile: ['From a file', '从文件'],
  paste: ['Paste a list', '粘贴名单'],
  dropTitle: ['Drop a file here, or choose one', '将文件拖到这里，或选择文件'],
  chooseFile: ['Choose a file', '选择文件'],
  reading: ['Reading the file…', '正在读取文件…'],
  pasteHint: [
    'Paste rows from a spreadsheet, or values separated by commas.',
    '可粘贴从表格中复制的内容，或用逗号分隔的文本。',
  ],
  file_tooLarge: [
    'The file is too large (at most 10 MB, unpacked 100 MB). Split it, or save only the sheet you need without empty rows and columns.',
    '文件太大（最多 10 MB，解压后最多 100 MB）。请拆分，或只保存需要的工作表，并删去多余的空行空列。',
  ],
  file_kind: [
    'This type of file can’t be read. Open it in its own program, save it as .xlsx or .csv, and choose the new file.',
    '无法读取这种文件。请用原来的软件打开，另存为 .xlsx 或 .csv 后重新选择。',
  ],
  file_broken: [
    'The file is damaged. Open it in Excel or WPS, save it again as .xlsx, and choose the new file.',
    '文件已损坏。请用 Excel 或 WPS 打开，另存为 .xlsx 后重新选择。',
  ],
  file_text: [
    'Some characters in this file can’t be read. Open it in Excel or WPS, check the names, save it as .xlsx, and choose the new file.',
    '文件中有无法识别的文字。请用 Excel 或 WPS 打开，核对姓名后另存为 .xlsx，再重新选择。',
  ],
  file_empty: [
    'The file is empty: its visible worksheets have no content. Choose another file.',
    '文件没有内容：可见的工作表都是空的。请选择其他文件。',
  ],
  rowsFound: [
    '{{count, number}} row in “{{name}}”',
    '{{count, number}} rows in “{{name}}”',
    '“{{name}}”共 {{count, number}} 行',
  ],
  pastedName: ['pasted list', '粘贴的名单'],
  hasHeader: ['Row {{line, number}} is the header', '第 {{line, number}} 行是列标题'],
  rowsAbove: ['Ignored above the header: {{rows}}.', '已忽略标题行上方的内容：{{rows}}。'],
  rowAbove: ['row {{line, number}} “{{text}}”', '第 {{line, number}} 行“{{text}}”'],
  rowsAboveComma: [', ', '、'],
  encodingGuessed: [
    'Check the names. If they show wrong characters, open the file in Excel or WPS, save it as .xlsx, and choose the new file.',
    '请检查姓名。如有乱码，请用 Excel 或 WPS 打开文件，另存为 .xlsx 后重新选择。',
  ],
  columnHolds: ['Content of column {{n}}', '第 {{n}} 列的内容'],
  fieldNone: ['Not used', '不使用'],
  previewLabel: ['The first rows of the list', '名单的前几行'],
  rowOutcomes: ['Result for each row', '每一行的结果'],
  line: ['Row', '行'],
  ofLine: ['Row {{line, number}}: ', '第 {{line, number}} 行：'],
  personName: ['Name', '姓名'],
  outcome: ['Result', '结果'],
  progress: ['{{done, number}} of {{total, number}}', '{{done, number}} / {{total, number}}'],
  file_pdf: [
    'This is a PDF: it contains pages, not rows. Ask for the original spreadsheet, or copy the rows and use “Paste a list”.',
    '这是 PDF 文件，不能按行读取。请使用原始表格文件，或复制其中的内容后使用“粘贴名单”。',
  ],
  file_picture: [
    'This is a picture. Type the list into a spreadsheet, or use “Paste a list”.',
    '这是图片。请将名单录入表格，或使用“粘贴名单”。',
  ],
  file_document: [
    'This is a text document, not a spreadsheet. Copy its table and use “Paste a list”, or paste it into a spreadsheet and choose that.',
    '这是文字文档，不是表格。请复制其中的表格后使用“粘贴名单”，或粘贴到表格中保存后再选择。',
  ],
  file_archive: [
    'This is an archive (ZIP, RAR or 7z). Unpack it and choose the list inside.',
    '这是压缩包（ZIP、RAR 或 7z）。请先解压，再选择其中的名单。',
  ],
  file_webPage: [
    'This file has the name of a spreadsheet but contains a web page or XML. Open it in Excel or WPS, choose File, Save as, “Excel workbook (.xlsx)”, and choose the new file here.',
    '文件名虽是表格，内容却是网页或 XML。请用 Excel 或 WPS 打开，点“文件”“另存为”，选“Excel 工作簿（.xlsx）”，再选择该文件。',
  ],
  file_otherExcel: [
    'This file is from Excel 95 or older, or a binary workbook (.xlsb). Open it in Excel or WPS, choose File, Save as, “Excel workbook (.xlsx)”, and choose the new file here.',
    '这是 Excel 95 或更早的文件，或二进制工作簿（.xlsb）。请用 Excel 或 WPS 打开，点“文件”“另存为”，选“Excel 工作簿（.xlsx）”，再选择该文件。',
  ],
  file_locked: [
    'This file is protected by a password. Open it, remove the password (Excel: File, Info, Protect workbook; WPS: File, File encryption), save it and choose it again.',
    '文件有密码保护。请打开后去掉密码（Excel：文件、信息、保护工作簿；WPS：文件、文档加密），保存后重新选择。',
  ],
  worksheet: ['Worksheet', '工作表'],
  missingTitle: [
    'Next: add {{count, number}} class',
    'Next: add {{count, number}} classes',
    '下一步：添加 {{count, number}} 个班级',
  ],
  missingText: [
    'The list contains classes that the school does not have yet. You can add them and their grades here.',
    '名单中有学校尚未添加的班级，可在此添加，所属年级一并添加。',
  ],
  missingOpen: ['Add classes…', '添加班级…'],
  missingDialog: ['Add classes from the list', '按名单添加班级'],
  missingChoose: [
    'Untick misspelt names. Their rows are skipped. Correct the list and import it again.',
    '名称写错的请取消勾选；相应的行会跳过，更正名单后可重新导入。',
  ],
  missingOne: ['{{name}} · {{people}}', '{{name}}（{{people}}）'],
  newGrade: ['new grade', '新年级'],
  missingAdd: [
    'Add {{count, number}} class',
    'Add {{count, number}} classes',
    '添加 {{count, number}} 个班级',
  ],
  failedRows: [
    '{{count, number}} row was skipped',
    '{{count, number}} rows were skipped',
    '跳过了 {{count, number}} 行',
  ],
  downloadFailed: ['Download these rows with the reasons', '下载这些行及原因'],
  failedName: ['skipped-rows', '跳过的行'],
  reason: ['Reason', '原因'],
  teacherCount: ['{{count, number}} teacher', '{{count, number}} teachers', '{{count, number}} 名教师'],
});
