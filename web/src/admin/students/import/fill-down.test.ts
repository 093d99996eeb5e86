import { describe, expect, it } from 'vitest';
import { findFillDownTexts } from './fill-down.ts';

const unused = { username: null, externalId: null, cardNumber: null };
const mapping = { ...unused, actualName: 0, className: 1, gradeName: null };

/** Each line is a row of the list, with a bar between its cells. */
const sheet = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line, index) => ({ line: index + 1, cells: line.split('|').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
const filled = (text: string, more: { merged?: [number, number]; grade?: number } = {}) => {
  const { merged: [from, to] = [0, 0], grade = null } = more;
  const merges = to > 0 ? [{ column: 1, from, to }] : [];
  const fills = findFillDownTexts(sheet(text), { ...mapping, gradeName: grade }, merges);
  return [...fills].map(([line, { className, gradeName }]) =>
    [line, gradeName?.text, className?.text].filter(Boolean).join(' '),
  );
};

describe('Empty class cells', () => {
  it('get the class above them when each class is named in one row only', () => {
    const list = `
      a | 1班
      b |
      c |
      d | 2班
      e |`;
    expect(filled(list)).toEqual(['2 1班', '3 1班', '5 2班']);
  });

  it.each([
    ['the list names a class in more rows than one', 'a | 1班\nb | 1班\nc |\nd | 2班'],
    ['the first student has no class', 'a |\nb | 1班\nc |'],
    ['no student has a class', 'a |\nb |'],
    ['a row without a student is above', 'a | 1班 |\n| | Total: 1\nc | |'],
  ])('stay empty where %s', (_, list) => {
    expect(filled(list)).toEqual([]);
  });

  it('stay empty after an empty row', () => {
    const list = `
      a | 1班
      b |
      |
      c |
      d | 2班
      e |`;
    expect(filled(list)).toEqual(['2 1班', '6 2班']);
  });

  it('get the value of merged cells exactly within the merge', () => {
    const list = `
      a | 1班
      b |
      c |
      d | 1班
      e |`;
    expect(filled(list, { merged: [1, 2] })).toEqual(['2 1班']);
    // The page fills merged cells without asking.
    const merges = [{ column: 1, from: 1, to: 2 }];
    const fills = findFillDownTexts(sheet(list), mapping, merges);
    expect([...fills.values()]).toEqual([{ className: { text: '1班', isMerged: true } }]);
    // A merged heading is not a class.
    expect(findFillDownTexts(sheet(list).slice(1), mapping, merges).size).toBe(0);
  });

  it('get no class of another grade, and empty grade cells are filled by the same rule', () => {
    const list = `
      a | 1班 | 七年级
      b |     |
      c | 2班 |
      d | 1班 | 八年级
      e |     |
      f |     | 九年级`;
    expect(filled(list, { grade: 2 })).toEqual(['2 七年级 1班', '3 七年级', '5 八年级 1班']);
  });
});
