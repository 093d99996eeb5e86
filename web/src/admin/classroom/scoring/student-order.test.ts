import type { Seat, Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { seatGroupsOf } from '../geometry.ts';
import { matchesSearch, sortStudents } from './student-order.ts';

const student = (id: number, actualName: string, totalScore = 0) =>
  ({ id, actualName, username: `user.${id}`, totalScore }) as Student;
const seat = (groupIndex: number, row: number, col: number, userId: number | null) =>
  ({ id: groupIndex * 100 + row * 10 + col, groupIndex, row, col, userId }) as Seat;

describe('Order of students', () => {
  const students = [student(1, '张伟', 3), student(2, '李娜', 9), student(3, '王芳', 3)];

  const seats = [seat(1, 1, 1, 3), seat(1, 1, 2, null), seat(1, 2, 1, 1)];

  it.each([
    ['by pinyin', 'name', [2, 3, 1]],
    ['by points, best first, with ties by name', 'total', [2, 3, 1]],
    ['by seat, with unseated students last', 'seat', [3, 1, 2]],
  ] as const)('is %s', (_, sort, ids) => {
    expect(sortStudents(students, sort, seats).map(({ id }) => id)).toEqual(ids);
  });
});

it('the search matches parts of names and usernames', () => {
  const ana = { actualName: 'Ana López', username: 'a.lopez' };
  const matching = ['', ' ana ', 'LÓP', 'a.l', 'x'].filter((search) => matchesSearch(ana, search));
  expect(matching).toEqual(['', ' ana ', 'LÓP', 'a.l']);
});

it('seatGroupsOf returns the groups in the order of the room', () => {
  const groups = seatGroupsOf([seat(2, 1, 1, null), seat(1, 2, 1, 1), seat(1, 1, 2, 2), seat(1, 1, 1, 3)]);
  expect(groups.map(({ index, cols, seats }) => [index, cols, seats.map(({ userId }) => userId)])).toEqual([
    [1, 2, [3, 2, 1]],
    [2, 1, [null]],
  ]);
});
