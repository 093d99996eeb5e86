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
  noReason: ['No reason given', '未填理由'],
  erased: ['Erased', '已清除'],
  noted: ['Note saved.', '备注已保存。'],
  gone: [
    'The record was undone or belongs to a past term, so its note can’t be changed.',
    '该记录已撤销或属于已结束的学期，不能修改备注。',
  ],
  revokeTitle: ['Undo this record?', 'Undo {{count, number}} records?', '撤销这 {{count, number}} 条记录？'],
  revokeOne: [
    '{{points}} for {{student}}, “{{reason}}”, will no longer count. It stays visible under “Undone”.',
    '{{student}}“{{reason}}”的 {{points}} 分不再计入；记录仍可在“已撤销”中查看。',
  ],
  revokeOneBare: [
    '{{points}} for {{student}} will no longer count. It stays visible under “Undone”.',
    '{{student}}的 {{points}} 分不再计入；记录仍可在“已撤销”中查看。',
  ],
  revokeMany: [
    '{{points}} in total, for {{count, number}} student, will no longer count.',
    '{{points}} in total, for {{count, number}} students, will no longer count.',
    '{{count, number}} 名学生合计 {{points}} 分，将不再计入。',
  ],
  revokeKept: [
    'They stay visible under “Undone”, but you can’t restore them.',
    '记录仍可在“已撤销”中查看，但不能恢复。',
  ],
  revoked: [
    '{{count, number}} record undone.',
    '{{count, number}} records undone.',
    '已撤销 {{count, number}} 条记录。',
  ],
  revokedAlready: ['These records were already undone.', '这些记录此前已被撤销。'],
  revokeClosed: [
    'One of these records belongs to a term that has just ended, so it can’t be undone. Close this dialog to see the current list.',
    '其中有记录所属的学期刚刚结束，无法撤销。关闭此窗口可查看最新列表。',
  ],
  revokeGone: [
    'One of these records no longer exists. Close this dialog to see the current list.',
    '其中有记录已不存在。关闭此窗口可查看最新列表。',
  ],
});
