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

const merged = 'a | 1班\nb |\nc |\nd | 1班\ne |';

describe('Empty class cells', () => {
  it.each<[string, list: string, expected: string[], more?: Parameters<typeof filled>[1]]>([
    [
      'get the class above them when each class is named in one row only',
      'a | 1班\nb |\nc |\nd | 2班\ne |',
      ['2 1班', '3 1班', '5 2班'],
    ],
    ['stay empty where the list names a class in more rows than one', 'a | 1班\nb | 1班\nc |\nd | 2班', []],
    ['stay empty where the first student has no class', 'a |\nb | 1班\nc |', []],
    ['stay empty where no student has a class', 'a |\nb |', []],
    ['stay empty where a row without a student is above', 'a | 1班 |\n| | Total: 1\nc | |', []],
    ['stay empty after an empty row', 'a | 1班\nb |\n|\nc |\nd | 2班\ne |', ['2 1班', '6 2班']],
    ['get the value of merged cells exactly within the merge', merged, ['2 1班'], { merged: [1, 2] }],
    [
      'get no class of another grade, and empty grade cells are filled by the same rule',
      'a | 1班 | 七年级\nb | |\nc | 2班 |\nd | 1班 | 八年级\ne | |\nf | | 九年级',
      ['2 七年级 1班', '3 七年级', '5 八年级 1班'],
      { grade: 2 },
    ],
  ])('%s', (_, list, expected, more) => {
    expect(filled(list, more)).toEqual(expected);
  });

  it('are known as merged, which the page fills without asking, but not from a merged heading', () => {
    const merges = [{ column: 1, from: 1, to: 2 }];
    const fills = findFillDownTexts(sheet(merged), mapping, merges);
    expect([...fills.values()]).toEqual([{ className: { text: '1班', isMerged: true } }]);
    expect(findFillDownTexts(sheet(merged).slice(1), mapping, merges).size).toBe(0);
  });
});
