import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Staff accounts', '教师与管理员'],
  description: [
    'See who is responsible for what. You can manage roles below yours.',
    '查看各账号的负责范围，管理下级账号。',
  ],
  descriptionRead: ['People who are responsible for your class with you.', '与您共同负责本班的人员。'],
  add: ['Add account', '添加账号'],
  classTeachers: ['Class teachers from a list', '按名单安排班主任'],
  role: ['Role', '角色'],
  range: ['Responsible for', '负责范围'],
  created: ['Created', '创建日期'],
  you: ['you', '您'],
  everything: ['All schools', '全部学校'],
  wholeSchool: ['Whole school', '全校'],
  stranded: ['Grade or class was deleted', '年级或班级已删除'],
  strandedHint: [
    'This account has nothing to manage. Assign a grade or class under “Edit”.',
    '该账号目前没有负责范围，请在“编辑”中重新分配年级或班级。',
  ],
  allRoles: ['All roles', '全部角色'],
  count: ['{{count, number}} account', '{{count, number}} accounts', '共 {{count, number}} 个账号'],
  emptyTitle: ['No accounts yet', '还没有账号'],
  emptyHint: [
    'Assign a class to each class teacher and a grade to each head of grade.',
    '可为班主任指定班级，为年级主任指定年级。',
  ],
  resetFactor: ['Reset second factor', '重置二次验证'],
  resetFactorTitle: ['Reset {{name}}’s second factor?', '重置“{{name}}”的二次验证？'],
  resetFactorText: [
    'For someone who has lost their second factor. Their authenticator app, passkeys and recovery codes are removed, and they are signed out everywhere. Make sure the request really comes from them.',
    '适用于无法进行二次验证的情况。将移除其验证器应用、通行密钥和恢复码，并在所有设备上退出登录。请先核实确为本人申请。',
  ],
  resetFactorDone: ['{{name}}’s second factor was reset.', '已重置“{{name}}”的二次验证。'],
  noFactor: ['This person has no second factor.', '此人未开启二次验证。'],
  resetPassword: ['Reset password', '重置密码'],
  showActivity: ['Show activity', '查看操作记录'],
  editTitle: ['Edit “{{name}}”', '编辑“{{name}}”'],
  usernameHint: ['Used to sign in.', '用于登录。'],
  usernameTaken: ['This username is taken. Choose another.', '该用户名已被使用，请换一个。'],
  firstPassword: [
    'An initial password is generated and shown once. They choose their own password when they first sign in.',
    '系统会生成初始密码，仅显示一次；首次登录时须由本人设置新密码。',
  ],
  rangeMissing: ['Choose what this account is responsible for.', '请选择负责范围。'],
  pickSchool: ['Choose a school', '选择学校'],
  about_super_admin: [
    'Everything: schools, applications, announcements and all staff accounts.',
    '全部权限：学校、开通申请、公告以及所有账号。',
  ],
  about_school_admin: [
    'One whole school with its grades, classes, students and staff accounts.',
    '负责一所学校，包括其年级、班级、学生和教职工账号。',
  ],
  about_grade_admin: [
    'One grade with its classes, students and class teachers.',
    '负责一个年级，包括其班级、学生和班主任。',
  ],
  about_class_admin: ['One class with its students and points.', '负责一个班级的学生和积分。'],
  about_teacher: [
    'Gives points in the classes that the person teaches, and manages nothing.',
    '在任教班级加减分，不负责管理。',
  ],
  ownRole: [
    'You can’t change your own role, or disable or delete your own account. Ask another super admin to do it. This way, someone can always manage everything.',
    '您不能更改自己的角色，也不能停用或删除自己的账号，以确保始终有人管理系统。如有需要，请由其他超级管理员操作。',
  ],
  addedTitle: ['“{{name}}” can sign in now', '“{{name}}”现在可以登录'],
  newPasswordTitle: ['New password for “{{name}}”', '“{{name}}”的新密码'],
  resetText: [
    'A new password is generated and shown once. The account is signed out everywhere.',
    '系统会生成新密码，仅显示一次；该账号会在所有设备上退出登录。',
  ],
  disableTitle: ['Disable “{{name}}”?', '停用“{{name}}”？'],
  disableText: [
    'They are signed out. API credentials they issued are refused until you enable the account again.',
    '该账号将立即退出登录，其创建的 API 凭证也会被拒绝，直到重新启用。',
  ],
  deleteTitle: ['Delete “{{name}}”?', '删除“{{name}}”？'],
  deleteText: [
    'They can no longer sign in. API credentials they issued stop working permanently. Points they gave stay.',
    '该账号将无法登录，其创建的 API 凭证永久失效。已给出的加分、扣分会保留。',
  ],
  insteadDisable: ['To pause access only, use “Disable” instead.', '如只是暂停使用，请选择“停用”。'],
  enabledDone: ['“{{name}}” can sign in again.', '“{{name}}”可以重新登录。'],
  disabledDone: ['“{{name}}” is disabled.', '“{{name}}”已停用。'],
  deletedDone: ['“{{name}}” was deleted.', '“{{name}}”已删除。'],
  refused: [
    'Not allowed. You can only change accounts that you are responsible for and that have a role below yours. No one can disable, demote or delete themselves.',
    '不允许此操作：只能更改负责范围内的下级账号；任何人都不能停用、降级或删除自己。',
  ],
  rulesTitle: ['Account permissions', '账号管理权限'],
  rule1: [
    'School admins manage heads of grade and class teachers. Heads of grade manage the class teachers of their grade. Super admins manage everyone.',
    '学校管理员管理年级主任和班主任；年级主任管理本年级的班主任；超级管理员管理所有人。',
  ],
  rule2: [
    'No one can disable, demote or delete themselves. This way, one active super admin always remains.',
    '任何人都不能停用、降级或删除自己，因此始终至少有一位正常的超级管理员。',
  ],
  rule3: [
    'Resetting the password or disabling the account signs it out everywhere.',
    '重置密码或停用后，该账号的所有登录立即失效。',
  ],
});
