import type { Student } from '@classledger/contract';
import { expect, it } from 'vitest';
import { bestColumnCount, initialsOf, rankingLayout, rankStudents, textWidthEm } from './rank-students.ts';

const student = (id: number, actualName: string, addScore: number, deductScore: number) =>
  ({
    id,
    actualName,
    username: `u${10 - id}`,
    addScore,
    deductScore,
    totalScore: addScore + deductScore,
  }) as Student;

const roster = [student(1, '张伟', 10, -6), student(2, 'Ana López', 8, 0), student(3, '李娜', 4, 0)];
const display = { names: 'full', plusOnly: false, numberLabel: (n: number) => `No. ${n}` } as const;

it.each([
  [
    'sorted by points, and equal points share a rank',
    {},
    ['2: Ana López 8', '3: 李娜 4', '1: 张伟 4'],
    [1, 2, 2],
  ],
  ['without minus points', { plusOnly: true }, ['1: 张伟 10', '2: Ana López 8', '3: 李娜 4'], [1, 2, 3]],
  [
    'by numbers that do not tell the rank',
    { names: 'numbers' },
    ['2: No. 2 8', '3: No. 1 4', '1: No. 3 4'],
    [1, 2, 2],
  ],
] as const)('students on the projector are shown %s', (_, how, shown, ranks) => {
  const ranked = rankStudents(roster, { ...display, ...how });
  expect(ranked.map(({ id, label, points }) => `${id}: ${label} ${points}`)).toEqual(shown);
  expect(ranked.map(({ rank }) => rank)).toEqual(ranks);
});

it('initialsOf shortens a name to its initials or first Chinese character', () => {
  const names = ['张伟', 'Ana López', ' ana ', '欧阳娜娜', '葛\u{E0100}城', '𠮷田'];
  expect(names.map(initialsOf)).toEqual(['张＊', 'A. L.', 'A.', '欧＊', '葛\u{E0100}＊', '𠮷＊']);
});

it('textWidthEm estimates the width of a name', () => {
  expect(textWidthEm('向日葵')).toBe(3);
  expect(textWidthEm('Comets')).toBeCloseTo(3.7, 1);
  expect(textWidthEm('第八小组：永不放弃')).toBe(9);
});

it('bestColumnCount fills the screen with cards', () => {
  expect(bestColumnCount(60, 1_920, 950)).toBe(9);
  expect(bestColumnCount(1, 1_920, 950)).toBe(1);
  expect(bestColumnCount(0, 1_920, 950)).toBe(1);
});

it('rankingLayout uses two columns for over 12 students on a wide screen', () => {
  expect([20, 13, 12, 1].map((count) => rankingLayout(count, true))).toEqual([
    { columns: 2, rows: 10 },
    { columns: 2, rows: 7 },
    { columns: 1, rows: 12 },
    { columns: 1, rows: 3 },
  ]);
  expect(rankingLayout(20, false)).toEqual({ columns: 1, rows: 20 });
});
