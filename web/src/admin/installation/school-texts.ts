import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Schools', '学校'],
  description: [
    'Open a school to work in it. All other pages then show that school.',
    '打开一所学校后，其他页面显示该校数据。',
  ],
  createSchool: ['Create a school', '新建学校'],
  nameLabel: ['School name', '学校名称'],
  nameHint: ['The name people use. You can change it later.', '填写常用名称，之后可随时修改。'],
  timeZone: ['Time zone', '时区'],
  timeZoneHint: [
    'The time zone of the school. Its days begin at midnight there. You can change it later.',
    '学校所在地的时区，“今天”等日期以此为准，之后可修改。',
  ],
  timeZoneUsual: ['Server default ({{zone}})', '服务器默认时区（{{zone}}）'],
  created: ['{{name}} was created.', '已新建“{{name}}”。'],
  createdNext: ['Open it to add grades and classes.', '打开该校即可添加年级和班级。'],
  searchSchools: ['Search by name or code', '按名称或代码搜索'],
  since: ['Created', '创建日期'],
  current: ['Current', '当前学校'],
  open: ['Open this school', '打开该校'],
  openShort: ['Open', '打开'],
  openNamed: ['Open {{name}}', '打开{{name}}'],
  singleSignOn: ['Single sign-on', '单点登录'],
  renameTitle: ['Rename {{name}}', '重命名“{{name}}”'],
  disableTitle: ['Disable {{name}}?', '停用“{{name}}”？'],
  disablePeople: [
    'Its staff and students are signed out and can’t sign in.',
    '该校教师、管理员和学生会立即退出登录，且无法再登录。',
  ],
  disableCredentials: ['Its API credentials stop working.', '该校的 API 凭证将无法使用。'],
  disableData: [
    'All its data is kept, and super admins can still work with it.',
    '所有数据都会保留，超级管理员仍可操作该校。',
  ],
  disableBack: ['You can enable it again any time.', '可随时重新启用。'],
  disabledDone: [
    '{{name}} is disabled and everyone is signed out.',
    '“{{name}}”已停用，所有人员均已退出登录。',
  ],
  enabledDone: ['{{name}} is enabled. Everyone can sign in again.', '“{{name}}”已启用，人员可重新登录。'],
  deleteTitle: ['Delete {{name}}?', '删除“{{name}}”？'],
  deleteIntro: [
    'This permanently deletes all points and terms, and:',
    '以下内容以及全部积分和学期记录将永久删除：',
  ],
  grades: ['{{count, number}} grade', '{{count, number}} grades', '{{count, number}} 个年级'],
  classes: ['{{count, number}} class', '{{count, number}} classes', '{{count, number}} 个班级'],
  administrators: [
    '{{count, number}} staff account',
    '{{count, number}} staff accounts',
    '{{count, number}} 个教职工账号',
  ],
  countsUnknown: [
    'Couldn’t load the numbers. Everything in this school will be deleted.',
    '暂时无法读取数量。该校的全部内容都会被删除。',
  ],
  deleteInstead: [
    'To pause it without losing anything, disable it instead.',
    '若只想暂停使用而不丢失数据，请改为停用。',
  ],
  deleteCredentials: [
    'Its API credentials stop working. The API call log is kept until it expires.',
    '该校的 API 凭证将失效，API 调用日志保留至到期。',
  ],
  deleteConfirm: ['Delete permanently', '永久删除'],
  deletedDone: ['{{name}} was deleted.', '已删除“{{name}}”。'],
  emptyTitle: ['No schools yet', '还没有学校'],
  emptyHint: [
    'Create a school, then add grades, classes and students.',
    '请先新建学校，再添加年级、班级和学生。',
  ],
});
