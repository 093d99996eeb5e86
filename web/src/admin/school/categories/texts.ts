import { texts as categoryTexts } from '../../../components/category-texts.ts';
import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  ...categoryTexts,
  title: ['Categories', '积分类别'],
  description: [
    'Categories say what points are for. Templates and records show them, and statistics add them up.',
    '类别说明积分属于哪一方面：模板和记录会标明类别，统计会按类别汇总。',
  ],
  toTemplates: ['Templates', '模板'],
  addCategory: ['Add category', '添加类别'],
  editTitle: ['Edit category', '编辑类别'],
  namePlaceholder: ['For example: Sport', '例如：体育'],
  code: ['Code', '代码'],
  codeHint: [
    'Other programs find the category by it. Letters, digits, dot, - and _.',
    '供其他程序识别，可用字母、数字、点、- 和 _。',
  ],
  codeWrong: ['Use only letters, digits, dot, - and _.', '只能使用字母、数字、点、- 和 _。'],
  codeTaken: [
    'The code is taken, or the school has too many categories.',
    '代码已被使用，或类别数量已达上限。',
  ],
  colour: ['Colour', '颜色'],
  colour1: ['Blue', '蓝色'],
  colour2: ['Orange', '橙色'],
  colour3: ['Green', '绿色'],
  colour4: ['Pink', '玫红色'],
  colour5: ['Yellow', '黄色'],
  colour6: ['Violet', '紫色'],
  colour7: ['Red', '红色'],
  colour8: ['Teal', '青色'],
  position: ['Order', '排序'],
  positionHint: [
    'Smaller numbers come first. If left empty, the category comes last.',
    '数字小的排在前面；不填则排在最后。',
  ],
  positionRange: ['Enter a whole number from 0 to 1,000.', '请填写 0 到 1,000 之间的整数。'],
  added: ['“{{name}}” was added.', '已添加“{{name}}”。'],
  retired: ['Retired', '已停用'],
  retire: ['Retire', '停用'],
  retireTitle: ['Retire “{{name}}”?', '停用“{{name}}”？'],
  retireText: [
    'New points can no longer get it. Old records keep it, and you can bring it back at any time.',
    '停用后，新的加减分不能再选用该类别；已有记录保留，可随时恢复。',
  ],
  retiredDone: ['“{{name}}” is retired.', '已停用“{{name}}”。'],
  bringBack: ['Bring back', '恢复使用'],
  broughtBack: ['“{{name}}” is in use again.', '“{{name}}”已恢复使用。'],
  emptyTitle: ['No categories yet', '还没有类别'],
  emptyHint: [
    'Start with one of these sets, or add your own categories. You can change each one later.',
    '可从以下预设开始，也可自行添加类别，之后可随时修改。',
  ],
  preset_fiveVirtues: [
    'Five virtues: moral, intellectual, physical, aesthetic, labour',
    '五育：德育、智育、体育、美育、劳育',
  ],
  preset_pbis: ['PBIS: respectful, responsible, safe', 'PBIS 行为期望：尊重、负责、安全'],
  presetAdded: ['{{count, number}} categories were added.', '已添加 {{count, number}} 个类别。'],
});
