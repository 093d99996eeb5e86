import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    note: 'Note',
    addNote: 'Add a note',
    changeNote: 'Change the note',
    hint: 'For staff only. Students don’t see it, but an export of their data contains it.',
    noted: 'Note saved.',
    gone: 'The record was undone or belongs to a past term, so its note can’t be changed.',
  },
  zh: {
    note: '备注',
    addNote: '添加备注',
    changeNote: '修改备注',
    hint: '仅教职工可见；学生看不到，但导出学生数据时会包含。',
    noted: '备注已保存。',
    gone: '该记录已撤销或属于已结束的学期，不能修改备注。',
  },
});
