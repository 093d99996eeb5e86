import { expect, it } from 'vitest';
import { byName, compareNames } from './name-order.ts';

const ordered = (names: string) => names.split(' ').toSorted(compareNames).join(' ');

// Each surname stands beside surnames with only one reading.
it.each([
  '岑 曾 张', // Cén, Zēng (céng elsewhere), Zhāng
  '沙 单 尚', // Shā, Shàn, Shàng
  '齐 覃 丘 仇 瞿', // Qí, Qín, Qiū, Qiú, Qú
  '夏 肖 解 邢', // Xià, Xiāo, Xiè, Xíng
  '臧 查 翟 詹', // Zāng, Zhā, Zhái, Zhān
  '高 戈 盖 耿', // Gāo, Gē, Gě, Gěng
  '倪 聂 区 潘', // Ní, Niè, Ōu, Pān
  '饶 任 荣', // Ráo, Rén, Róng
  '侯 胡 花 华 黄', // Hóu, Hú, Huā, Huà, Huáng
  '苗 缪 闵 万俟 穆', // Miáo, Miào, Mǐn, Mòqí, Mù
  '庞 裴 彭 朴 平', // Páng, Péi, Péng, Piáo, Píng
  '于 尉迟 袁 乐 云', // Yú, Yùchí, Yuán, Yuè, Yún
  '苏 谈 澹台 唐', // Sū, Tán, Tántái, Táng
])('a surname is sorted by its spoken reading: %s', (spoken) => {
  expect(ordered(spoken.split(' ').toReversed().join(' '))).toBe(spoken);
});

it('a character has its surname reading only at the start of a name', () => {
  expect(ordered('张三 曾伟 王曾 尉迟恭 尉健 Ana 10号 9号 zoe')).toBe(
    '9号 10号 王曾 尉健 尉迟恭 曾伟 张三 Ana zoe',
  );
  const twins = [
    { actualName: '李娜', username: 's10' },
    { actualName: '李娜', username: 's9' },
  ];
  expect(twins.toSorted(byName).map(({ username }) => username)).toEqual(['s9', 's10']);
});
