import { defineTexts } from '../../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['OneRoster', 'OneRoster'],
  description: [
    'Exchange students and classes with another school system. Nothing is saved until you confirm.',
    '与其他校务系统交换学生和班级数据。确认之前不会保存任何内容。',
  ],
  dropTitle: ['Drop a OneRoster file here, or choose one', '将 OneRoster 文件拖到这里，或选择文件'],
  dropHint: [
    'A ZIP file of CSV files (OneRoster 1.2 or 1.1), at most 50 MB.',
    '包含 CSV 文件的 ZIP 压缩包（OneRoster 1.2 或 1.1），最大 50 MB。',
  ],
  tooLarge: [
    'The file is too large ({{about}}). At most: 50 MB for the ZIP file, 100 MB for each file in it, and 200 MB for all of them.',
    '文件太大：压缩包最大 50 MB，其中每个文件最大 100 MB，合计最大 200 MB（{{about}}）。',
  ],
  noZip: [
    'This is not a ZIP file, or it is damaged. Export it again and choose the new file.',
    '这不是 ZIP 文件，或文件已损坏。请重新导出后再选择。',
  ],
  noRoster: [
    'The file contains no {{about}}, so it is not a OneRoster export. Choose another file.',
    '文件中没有 {{about}}，不是 OneRoster 导出文件。请选择其他文件。',
  ],
  version: [
    'OneRoster version “{{about}}” can’t be read. Export version 1.2 or 1.1.',
    '无法读取 OneRoster 版本“{{about}}”。请导出 1.2 或 1.1 版。',
  ],
  fileTwice: [
    'The file contains {{about}} twice. Export it again into an empty folder.',
    '{{about}} 出现了两次。请重新导出到空文件夹。',
  ],
  fileMissing: [
    '{{about}} is missing. Choose students, classes and enrollments when you export.',
    '缺少 {{about}}。导出时请选择学生、班级和选课（enrollments）。',
  ],
  columnMissing: [
    'A column is missing: {{about}}. Export the file again with this column.',
    '缺少一列：{{about}}。请补全后重新导出。',
  ],
  text: [
    'Some characters in {{about}} can’t be read. Export it again with the encoding UTF-8.',
    '{{about}} 中有无法识别的文字，请以 UTF-8 编码重新导出。',
  ],
  encodingGuessed: [
    'Check the names. If they show wrong characters, export the file again with the encoding UTF-8.',
    '请检查姓名。如有乱码，请以 UTF-8 编码重新导出文件。',
  ],
  noSchool: [
    'The file contains no school. Export it again with the school.',
    '文件中没有学校信息，请重新导出并包含学校。',
  ],
  otherFile: ['Choose another file', '选择其他文件'],
  school: ['School in the file', '文件中的学校'],
  schoolHint: ['Its students become students of {{name}}.', '该校学生将导入到“{{name}}”。'],
  leftOut: ['Not imported', '不导入'],
  leftStaff: [
    '{{count, number}} person who is not a student',
    '{{count, number}} people who are not students',
    '{{count, number}} 名非学生人员',
  ],
  leftDeleted: [
    '{{count, number}} student marked for deletion; stays unchanged here',
    '{{count, number}} students marked for deletion; they stay unchanged here',
    '{{count, number}} 名学生标记为待删除，本系统中保持不变',
  ],
  leftClasses: [
    '{{count, number}} additional class of a student: each student has one class here, the homeroom if there is one',
    '{{count, number}} additional classes of students: each student has one class here, the homeroom if there is one',
    '学生的另外 {{count, number}} 个班级：本系统中每名学生只有一个班级，优先取行政班',
  ],
  exportText: [
    'A ZIP file with the classes and students you are responsible for, without points, passwords and email addresses.',
    '包含您负责的班级和学生的 ZIP 文件，不含积分、密码和邮箱。',
  ],
  exportButton: ['Download OneRoster file', '下载 OneRoster 文件'],
  fileName: ['oneroster', 'oneroster'],
});
