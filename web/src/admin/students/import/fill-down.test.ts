import { describe, expect, it } from 'vitest';
import { findFillDownTexts } from './fill-down.ts';

const mapping = {
  username: null,
  actualName: 0,
  gradeName: null,
  className: 1,
  externalId: null,
  cardNumber: null,
};
const sheet = (...rows: string[][]) =>
  rows
    .map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
const classes = (rows: string[][], more: { merges?: [number, number][]; grade?: number } = {}) => {
  const own = { ...mapping, gradeName: more.grade ?? null };
  const merges = (more.merges ?? []).map(([from, to]) => ({ column: 1, from, to }));
  return [...findFillDownTexts(sheet(...rows), own, merges)].map(([line, { className, gradeName }]) => [
    line,
    ...(gradeName ? [gradeName.text] : []),
    ...(className ? [className.text] : []),
  ]);
};

describe('Empty class cells', () => {
  it('get the class above them when each class is named in one row only', () => {
    expect(
      classes([
        ['a', '1班'],
        ['b', ''],
        ['c', ''],
        ['d', '2班'],
        ['e', ''],
      ]),
    ).toEqual([
      [2, '1班'],
      [3, '1班'],
      [5, '2班'],
    ]);
  });

  it.each<[string, string[][]]>([
    [
      'the list names a class in more rows than one',
      [
        ['a', '1班'],
        ['b', '1班'],
        ['c', ''],
        ['d', '2班'],
      ],
    ],
    [
      'the first student has no class',
      [
        ['a', ''],
        ['b', '1班'],
        ['c', ''],
      ],
    ],
    [
      'no student has a class',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
  ])('stay empty where %s', (_, rows) => {
    expect(classes(rows)).toEqual([]);
  });

  it('stay empty after an empty row or a row without a student', () => {
    expect(
      classes([
        ['a', '1班'],
        ['b', ''],
        ['', ''],
        ['c', ''],
        ['d', '2班'],
        ['e', ''],
      ]),
    ).toEqual([
      [2, '1班'],
      [6, '2班'],
    ]);
    expect(
      classes([
        ['a', '1班', ''],
        ['', '', 'Total: 1'],
        ['c', '', ''],
      ]),
    ).toEqual([]);
  });

  it('get the value of merged cells exactly within the merge', () => {
    const rows = [
      ['a', '1班'],
      ['b', ''],
      ['c', ''],
      ['d', '1班'],
      ['e', ''],
    ];
    expect(classes(rows, { merges: [[1, 2]] })).toEqual([[2, '1班']]);
    // The page fills merged cells without asking.
    const fills = findFillDownTexts(sheet(...rows), mapping, [{ column: 1, from: 1, to: 2 }]);
    expect([...fills.values()]).toEqual([{ className: { text: '1班', isMerged: true } }]);
    // A merged heading is not a class.
    expect(findFillDownTexts(sheet(...rows).slice(1), mapping, [{ column: 1, from: 1, to: 2 }]).size).toBe(0);
  });

  it('get no class of another grade, and empty grade cells are filled by the same rule', () => {
    const rows = [
      ['a', '1班', '七年级'],
      ['b', '', ''],
      ['c', '2班', ''],
      ['d', '1班', '八年级'],
      ['e', '', ''],
      ['f', '', '九年级'],
    ];
    expect(classes(rows, { grade: 2 })).toEqual([
      [2, '七年级', '1班'],
      [3, '七年级'],
      [5, '八年级', '1班'],
    ]);
  });
});
