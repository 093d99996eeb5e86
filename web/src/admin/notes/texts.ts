import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    note: 'Note',
    addNote: 'Add a note',
    changeNote: 'Change the note',
    hint: 'For staff. Students don’t see it, but it is in an export of their data.',
    noted: 'Note saved.',
    gone: 'The record is undone or belongs to a closed term.',
  },
  zh: {
    note: '备注',
    addNote: '添加备注',
    changeNote: '修改备注',
    hint: '仅教职工可见。学生看不到，但导出其个人信息时会包含。',
    noted: '备注已保存。',
    gone: '该记录已撤销或属于已结束的学期。',
  },
});
