import { defineTexts } from '../../../i18n/texts.ts';
import { texts as studentsTexts } from '../texts.ts';

export const texts = defineTexts({
  ...studentsTexts,
  name: ['Name', '姓名'],
  nameHint: ['If left empty, the username is shown.', '不填时以用户名代替。'],
  usernameHint: [
    'For signing in, for example a student number. Case-sensitive.',
    '用于登录，例如学号；区分大小写。',
  ],
  chooseClass: ['Choose a class.', '请选择班级。'],
  usernameTaken: ['This username is taken. Choose another.', '该用户名已被使用，请换一个。'],
  identifierTaken: [
    'Another student already has this username, external ID or card number. Use a different one.',
    '用户名、外部编号或卡号已属于其他学生，请换一个。',
  ],
  added: ['{{name}} was added.', '已添加{{name}}。'],
  addAnother: ['Add another', '继续添加'],
  editTitle: ['Edit {{name}}', '编辑{{name}}'],
  emailHint: ['For the student’s own use; leave it empty if there is none.', '供学生本人使用，没有可不填。'],
  emailHidden: [
    'An email is on file; only school admins can see it. If you enter one here, it replaces the old one.',
    '已填写邮箱，仅学校管理员可见。在此输入新邮箱会替换原邮箱。',
  ],
  move: ['Move to another class', '调班'],
  moveTitle: ['Move {{name}}', '为{{name}}调班'],
  moveText: [
    'All records move too and count for the new class. The old seat is freed.',
    '全部积分记录随学生转入并计入新班级，原座位空出。',
  ],
  moveConfirm: ['Move', '确认调班'],
  moved: ['{{name}} is now in {{class}}.', '{{name}}已调入{{class}}。'],
  disableTitle: ['Disable {{name}}?', '停用{{name}}？'],
  disableText: [
    'The student is signed out and can no longer sign in. Records and points stay. You can enable them again any time.',
    '该学生将立即退出登录且无法再登录；记录和积分保留，可随时重新启用。',
  ],
  disabledDone: ['{{name}} is disabled.', '已停用{{name}}。'],
  enabledDone: ['{{name}} is enabled again.', '已重新启用{{name}}。'],
  resetPassword: ['Reset password', '重置密码'],
  resetTitle: ['Reset {{name}}’s password?', '为{{name}}重置密码？'],
  resetText: [
    'The current password stops working and the student is signed out everywhere. The new password is shown here only once.',
    '原密码立即失效，学生在所有设备上退出登录。新密码只在此显示一次。',
  ],
  newPasswordTitle: ['New password', '新密码'],
  deleteTitle: ['Delete {{name}}?', '删除{{name}}？'],
  deleteRecords: [
    'This also deletes {{count, number}} record of the current term, the records of past terms, and the seat. It can’t be undone.',
    'This also deletes {{count, number}} records of the current term, the records of past terms, and the seat. It can’t be undone.',
    '将一并删除本学期的 {{count, number}} 条积分记录、以往学期的记录和座位，且无法恢复。',
  ],
  deleteInstead: ['To keep the records, disable the student instead.', '如需保留记录，请改为停用。'],
  eraseInstead: [
    'Deleting changes the class’s totals. To remove the personal data and keep the totals, choose “Erase personal data” instead.',
    '删除会改变班级总积分。如只需去除个人信息并保留总积分，请改用“清除个人信息”。',
  ],
  deleted: ['{{name}} was deleted.', '已删除{{name}}。'],
  bulkMove: [
    'Move {{count, number}} student',
    'Move {{count, number}} students',
    '为 {{count, number}} 名学生调班',
  ],
  bulkDisable: [
    'Disable {{count, number}} student?',
    'Disable {{count, number}} students?',
    '停用 {{count, number}} 名学生？',
  ],
  bulkEnable: [
    'Enable {{count, number}} student?',
    'Enable {{count, number}} students?',
    '启用 {{count, number}} 名学生？',
  ],
  bulkReset: [
    'Reset the password of {{count, number}} student?',
    'Reset the passwords of {{count, number}} students?',
    '为 {{count, number}} 名学生重置密码？',
  ],
  bulkDelete: [
    'Delete {{count, number}} student?',
    'Delete {{count, number}} students?',
    '删除 {{count, number}} 名学生？',
  ],
  bulkDisableText: [
    'They are signed out and can no longer sign in. Records and points stay. You can enable them again any time.',
    '这些学生将立即退出登录且无法再登录；记录和积分保留，可随时重新启用。',
  ],
  bulkEnableText: ['They can sign in again with their old passwords.', '这些学生可用原密码重新登录。'],
  bulkResetText: [
    'Their current passwords stop working and they are signed out everywhere. The new passwords are shown only once: print slips or download them.',
    '原密码立即失效，学生在所有设备上退出登录。新密码只显示一次，可打印密码条或下载。',
  ],
  onlyInitial: ['Only students who haven’t chosen their own password yet', '仅限尚未设置自己密码的学生'],
  keptOwn: [
    '{{count, number}} student has chosen a password and keeps it.',
    '{{count, number}} students have chosen a password and keep it.',
    '{{count, number}} 名学生已设置自己的密码，保持不变。',
  ],
  running: ['{{done, number}} of {{total, number}}', '{{done, number}} / {{total, number}}'],
  stop: ['Stop', '停止'],
  doneOf: [
    'Done for {{count, number}} student.',
    'Done for {{count, number}} students.',
    '已处理 {{count, number}} 名学生。',
  ],
  notDone: [
    '{{count, number}} student is not done and still selected:',
    '{{count, number}} students are not done and still selected:',
    '{{count, number}} 名未处理，仍保持选中：',
  ],
  stopped: ['You stopped this.', '您已停止操作。'],
  leaveRunTitle: ['Leave before it finishes?', '尚未完成，仍要离开？'],
  leaveRunText: [
    'Students already done keep the change. The rest stay as they are.',
    '已处理的学生保留更改，其余学生不变。',
  ],
  leaveResetText: [
    'Some students may already have new passwords that you have not seen. You would have to reset these again. The rest keep their passwords.',
    '部分学生的密码可能已被重置但尚未显示，离开后须再次重置；其余学生的密码不变。',
  ],
  tryRest: ['Continue with the rest', '继续处理其余学生'],
});
