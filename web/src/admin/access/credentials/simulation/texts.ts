import { defineTexts } from '../../../../i18n/texts.ts';

export const texts = defineTexts({
  whatItSees: ['Show access', '查看访问权限'],
  whatItSeesOf: ['Access of “{{name}}”', '“{{name}}”的访问权限'],
  whatWouldItSee: ['Preview access', '预览访问权限'],
  back: ['Back to the form', '返回填写'],
  intro: [
    'This shows what an app with this credential can see and use now. Viewing it changes nothing and doesn’t count as a call.',
    '使用此凭证的应用目前可以看到和使用的全部内容。查看时不会改动任何数据，也不计入调用次数。',
  ],
  grades: ['Grades', '年级'],
  classes: ['Classes', '班级'],
  students: ['Students', '学生'],
  operations: ['API calls allowed', '可调用的接口'],
  someOfAll: ['{{some, number}} of {{all, number}}', '{{some, number}} / {{all, number}}'],
  reached: ['Classes it can access', '可访问的班级'],
  reachedNothing: ['There are no classes in this scope.', '此范围内没有班级。'],
  classWith: [
    '{{name}}: {{count, number}} student',
    '{{name}}: {{count, number}} students',
    '{{name}}：{{count, number}} 名学生',
  ],
  gradeEmpty: ['no classes yet', '还没有班级'],
  calls: ['API calls, one by one', '接口权限明细'],
  show: ['Show', '显示'],
  allowed: ['Allowed', '允许'],
  refused: ['Not allowed', '不允许'],
  needsPermission: ['Needs the permission “{{permission}}”.', '需要“{{permission}}”权限。'],
  needsSchool: ['Only for credentials with the scope “Whole school”.', '仅限全校范围的凭证。'],
  needsGrade: [
    'Only for credentials with the scope “Whole school” or “One grade”.',
    '仅限全校或年级范围的凭证。',
  ],
  answer: ['Show response', '查看真实响应'],
  example: ['Show an example', '查看示例'],
  answerHint: [
    'This is the API’s current response. Long lists are cut to 3 entries.',
    '这是接口当前返回的内容，较长的列表只显示前 3 条。',
  ],
  exampleHint: [
    'This example is from the API reference. No data was read or changed.',
    '示例来自 API 文档，未读取或改动任何数据。',
  ],
});
