import type { Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
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
const display = {
  names: 'full',
  plusOnly: false,
  numberLabel: (n: number) => `No. ${n}`,
} as const;

describe('Students on the projector', () => {
  it('are sorted by points, and equal points share a rank', () => {
    expect(rankStudents(roster, display).map(({ id, points, rank }) => [id, points, rank])).toEqual([
      [2, 8, 1],
      [3, 4, 2],
      [1, 4, 2],
    ]);
  });

  it('are shown without minus points if plusOnly is set', () => {
    const shown = rankStudents(roster, { ...display, plusOnly: true });
    expect(shown.map(({ id, points }) => [id, points])).toEqual([
      [1, 10],
      [2, 8],
      [3, 4],
    ]);
  });

  it('can be shown by a number that is independent of the rank', () => {
    const shown = rankStudents(roster, { ...display, names: 'numbers' });
    expect(shown.map(({ id, label }) => [id, label])).toEqual([
      [2, 'No. 2'],
      [3, 'No. 1'],
      [1, 'No. 3'],
    ]);
  });
});

it('initialsOf shortens a name to its initials or first Chinese character', () => {
  expect(['张伟', 'Ana López', ' ana ', '欧阳娜娜', '葛\u{E0100}城', '𠮷田'].map(initialsOf)).toEqual([
    '张＊',
    'A. L.',
    'A.',
    '欧＊',
    '葛\u{E0100}＊',
    '𠮷＊',
  ]);
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
  expect(rankingLayout(20, true)).toEqual({ columns: 2, rows: 10 });
  expect(rankingLayout(13, true)).toEqual({ columns: 2, rows: 7 });
  expect(rankingLayout(12, true)).toEqual({ columns: 1, rows: 12 });
  expect(rankingLayout(20, false)).toEqual({ columns: 1, rows: 20 });
  expect(rankingLayout(1, true)).toEqual({ columns: 1, rows: 3 });
});
