import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  failed: ['Something went wrong', '操作失败'],
  errorTitle: ['Couldn’t load this', '加载失败'],
  brokenTitle: ['Something went wrong on this page', '页面出错了'],
  brokenText: ['Reload the page. Everything you saved is safe.', '请刷新页面，已保存的内容不会丢失。'],
  reload: ['Reload', '刷新'],
  later: ['Later', '稍后'],
  outdated: [
    'This page has been updated. Save your work, then reload.',
    '页面已有新版本。请先保存正在填写的内容，再刷新页面。',
  ],
  requestId: ['Request ID: {{id}}', '请求 ID：{{id}}'],
  offline: [
    'Can’t reach the server. Check your connection and try again.',
    '无法连接服务器。请检查网络后重试。',
  ],
  badInput: ['Check your entries: {{message}}', '填写有误：{{message}}'],
  listChanged: ['The list changed while it was read. Try again.', '读取期间数据有变动，请重试。'],
  signedOut: ['You’ve been signed out. Sign in and try again.', '登录已失效，请重新登录。'],
  forbidden: ['You don’t have permission. Ask your administrator.', '您没有此权限，请联系上级管理员。'],
  unconfirmed: [
    'Nothing was changed because you didn’t confirm that it’s you.',
    '身份未确认，未做任何更改。',
  ],
  archived: [
    'This class has graduated. You can view and export it, but not change it.',
    '该班级已毕业，只能查看和导出，不能修改。',
  ],
  factorFirst: ['Set up a second factor under “My account” first.', '请先在“我的账号”中设置二次验证。'],
  missing: ['This no longer exists. Someone may have deleted it.', '该内容已不存在，可能已被删除。'],
  conflict: ['This conflicts with existing data: {{message}}', '与现有内容冲突：{{message}}'],
  tooLarge: ['Too much at once. Split it into smaller parts.', '一次提交的内容太多，请分批进行。'],
  tooMany: ['Too many attempts. Wait a moment, then try again.', '操作过于频繁，请稍候再试。'],
  tooManyFor: [
    'Too many attempts. Try again in {{count}} second.',
    'Too many attempts. Try again in {{count}} seconds.',
    '操作过于频繁，请在 {{count}} 秒后重试。',
  ],
  unavailable: [
    'The server is busy or starting up. Try again in a moment.',
    '服务器正忙或正在启动，请稍候再试。',
  ],
  serverError: [
    'Server error. Try again; if it keeps happening, tell your administrator.',
    '服务器出错，请重试；若仍不成功，请联系管理员。',
  ],
  typeToConfirm: ['Type “{{text}}” to confirm', '请输入“{{text}}”以确认'],
  yourPassword: ['Your password', '您的密码'],
  identityConfirmed: ['You have confirmed that it’s you.', '已确认是您本人。'],
  pickClass: ['Choose a class', '选择班级'],
  pickGrade: ['Choose a grade', '选择年级'],
  schemeLight: ['Light', '浅色'],
  schemeDark: ['Dark', '深色'],
  schemeAuto: ['Match system', '跟随系统'],
  weekFrom: ['Week of {{date}}', '{{date}} 起的一周'],
  schoolTime: [
    'Days and times are in the school’s time zone ({{zone}}, now {{time}}).',
    '日期和时间以学校所在时区为准（{{zone}}，现在是 {{time}}）。',
  ],
});
