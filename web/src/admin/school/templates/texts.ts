import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Templates', '模板'],
  description: [
    'Save reasons you use often, and give or take points with one tap.',
    '把常用的加减分理由存为模板，点一下即可加分或扣分。',
  ],
  addTemplate: ['Add template', '添加模板'],
  schoolWide: ['School-wide', '全校通用'],
  schoolWideHint: ['Every class can use them.', '所有班级都可使用。'],
  classHint: ['Only this class can use them.', '仅本班使用。'],
  readOnly: ['The school manages these. You can use them.', '仅学校管理员可以修改，您可以直接使用。'],
  nonePlus: ['No plus templates', '还没有加分模板'],
  noneMinus: ['No minus templates', '还没有扣分模板'],
  addTo: ['Add a template: {{group}}, {{kind}}', '添加模板：{{group}}，{{kind}}'],
  editTitle: ['Edit template', '编辑模板'],
  name: ['Reason', '理由'],
  namePlaceholder: ['For example: Homework complete', '例如：作业完成'],
  kind: ['Plus or minus', '加分或扣分'],
  points: ['Points', '分值'],
  pointsRange: [
    'Enter a whole number from 1 to {{max, number}}.',
    '请填写 1 到 {{max, number}} 之间的整数。',
  ],
  details: ['Text in the record', '记录内容'],
  detailsHint: [
    'Optional. Replaces the reason in records.',
    '选填。填写后，积分记录中显示此内容，不显示理由。',
  ],
  where: ['For', '适用范围'],
  whole: ['The whole school', '全校'],
  editHint: ['Points already given with this template don’t change.', '此前用该模板加减的分数不会改变。'],
  added: ['“{{name}}” was added.', '已添加“{{name}}”。'],
  deleteTitle: ['Delete “{{name}}”?', '删除“{{name}}”？'],
  deleteText: [
    'You can no longer use this template. Points already given with it stay.',
    '删除后，加减分时不再显示该模板；此前的加减分保留。',
  ],
  deleted: ['“{{name}}” was deleted.', '已删除“{{name}}”。'],
  gone: ['This template no longer exists. Someone may have deleted it.', '该模板已不存在，可能已被删除。'],
  emptyTitle: ['No templates yet', '还没有模板'],
  emptyHint: [
    'Save a reason with its points, and give the points with one tap.',
    '把常用理由和分值存为模板，加减分时点一下即可。',
  ],
  emptyHintReader: [
    'Add templates for your class to give points with one tap.',
    '为您的班级添加模板，加减分时点一下即可。',
  ],
  starterForSchool: [
    'Start quickly: every class can use these immediately. You can change or delete each one later.',
    '可一键添加以上常用模板，全校班级立即可用，之后可随时修改或删除。',
  ],
  starterForClass: [
    'Start quickly in your class. You can change or delete each one later.',
    '可一键为本班添加以上常用模板，之后可随时修改或删除。',
  ],
  starterAdd: ['Add these {{count, number}}', '添加这 {{count, number}} 个模板'],
  starterAdded: ['{{count, number}} templates were added.', '已添加 {{count, number}} 个模板。'],
  starterProgressed: [
    '{{done, number}} of {{total, number}} added',
    '已添加 {{done, number}} / {{total, number}}',
  ],
  starterGoOn: ['Add the rest', '继续添加'],
  starterStop: ['Stop here', '保留已添加的'],
  commonAnswer: ['Good answer', '积极发言'],
  commonHomework: ['Homework complete', '作业完成'],
  commonNeat: ['Neat work', '书写工整'],
  commonHelp: ['Helped others', '乐于助人'],
  commonTeam: ['Teamwork', '团结协作'],
  commonProgress: ['Great progress', '进步明显'],
  commonMaterials: ['Materials forgotten', '忘带学具'],
  commonLate: ['Late', '迟到'],
  commonNoHomework: ['Missing homework', '未交作业'],
  commonDisturbs: ['Disrupted class', '扰乱课堂'],
});

export type CommonKey = keyof typeof texts & `common${string}`;
