import { expect, it } from 'vitest';
import { classFinder } from './class-names.ts';
import { removeNameBlanks } from './normalize-text.ts';

/** Each text is a grade and a class of the school, with a bar between them. */
const finder = (...names: string[]) => {
  const known = names.map((text, index) => {
    const [gradeName = '', name = ''] = text.split('|');
    return { id: index + 1, gradeName, name };
  });
  const find = classFinder(known);
  return (className: string, gradeName = '') => {
    const found = find({ className, gradeName });
    return typeof found === 'string' ? found : found.id;
  };
};

it('a class is found in any usual spelling', () => {
  const written = '一班|1班|（1）班|１班|七年级(1)班|Class 1|第一班|01|1|㈠班|七年级一班'.split('|');
  const withGrade = '七年级（1）班|七（1）班|7-1|Grade 7 Class 1|七年级 01班|７年级１班'.split('|');
  for (const own of written) {
    const find = finder(`七年级|${own}`, '七年级|2班', '七年级|十一班', '八年级|1班');
    for (const other of written) expect(find(other, '七年级'), `${own} as ${other}`).toBe(1);
    for (const other of withGrade) {
      expect([find(other), find(other, '7')], `${own} as ${other}`).toEqual([1, 1]);
    }
  }
});

it('two different classes are never confused', () => {
  const find = finder('七年级|1班', '七年级|11班', '八年级|1班', 'Grade 1|2', 'Grade 12|A', '七年级|7-12');
  expect(find('十一班', '七年级')).toBe(2);
  expect(find('Grade 1 2')).toBe(4);
  expect(find('1班')).toBe('classAmbiguous');
  for (const name of ['七一班', '初一1班', 'Grade 12', '7.1']) expect(find(name), name).toBe('classUnknown');
  for (const name of ['1-1', '71-2', '712']) expect(find(name, '七年级'), name).toBe('classUnknown');
  expect(find('七年级(1)班', '八年级')).toBe('classUnknown');
  expect(find('2', 'Year 1')).toBe('classUnknown');
});

it('an exact spelling finds its class, and an ambiguous spelling finds none', () => {
  const find = finder('七年级|1班', '七年级|一班', 'Grade 7|2班', '七年级|2班', '八年级|三班');
  expect(find('一班', '七年级')).toBe(2);
  expect(find('1班')).toBe(1);
  expect(find('Class 1', '七年级')).toBe('classAmbiguous');
  expect(find('2班')).toBe('classAmbiguous');
  expect(find('2班', 'Grade 7')).toBe(3);
  expect(find('2班', '7')).toBe('classAmbiguous');
  expect(find('3班')).toBe(5);
});

it('a grade with names in two languages is found by either name, but not by an ambiguous number', () => {
  const find = finder('小一 Grade 1|1班', '初一 Grade 7|1班', 'Grade 8 初二|1班', '高一 Grade 10|5班');
  for (const grade of ['初一', '七年级', 'Grade 7', '初一 Grade 7']) {
    expect(find('1班', grade), grade).toBe(2);
    expect(find(`${grade} 1班`), grade).toBe(2);
  }
  expect(find('1班', '初1')).toBe(2);
  expect(find('1班', '初二')).toBe(3);
  expect(find('1班', 'G8')).toBe(3);
  expect(find('1班', '小一')).toBe(1);
  // The list's grade must match, even if only one grade has such a class.
  expect(find('5班', '1')).toBe('classUnknown');
  expect(find('1班', '九年级')).toBe('classUnknown');
});

it.each([
  ['张 三', '张三'],
  ['张\u3000\u3000三', '张三'],
  ['欧阳\u00A0娜 娜', '欧阳娜娜'],
  ['阿依古丽 · 买买提', '阿依古丽·买买提'],
  ['𠮷 野家', '𠮷野家'],
  ['Anna Maria', 'Anna Maria'],
  ['Zhang 三', 'Zhang 三'],
  ['张 San', '张 San'],
  ['김 민준', '김 민준'],
])('blanks inside a Chinese name are removed, blanks in other names stay: %s', (name, closed) => {
  expect(removeNameBlanks(name)).toBe(closed);
});
