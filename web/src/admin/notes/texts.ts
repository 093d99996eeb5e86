import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  note: ['Note', '备注'],
  addNote: ['Add a note', '添加备注'],
  changeNote: ['Change the note', '修改备注'],
  hint: [
    'For staff only. Students don’t see it, but an export of their data contains it.',
    '仅教职工可见；学生看不到，但导出学生数据时会包含。',
  ],
  byCredential: ['{{name}} (app)', '{{name}}（应用）'],
  unknownAuthor: ['Deleted user', '已删除的用户'],
  noted: ['Note saved.', '备注已保存。'],
  gone: [
    'The record was undone or belongs to a past term, so its note can’t be changed.',
    '该记录已撤销或属于已结束的学期，不能修改备注。',
  ],
});
