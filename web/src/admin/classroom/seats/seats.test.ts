import type { Seat } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import {
  applySeatMove,
  arrangeRoom,
  defaultLayoutSize,
  layoutPaths,
  layoutSizeOf,
  moveBetween,
  printedPlanSize,
  type SeatTarget,
} from './room.ts';

const people = [1, 2, 3].map((id) => ({ id, username: `u${id}`, actualName: `Pupil ${id}` }));

/** Two groups of one row and two columns: 1 and 2 sit in the first group, the second is free, 3 has no seat. */
const seats: readonly Seat[] = [
  [11, 1, 1, 1],
  [12, 1, 2, 2],
  [21, 2, 1, null],
  [22, 2, 2, null],
].map(([id, groupIndex, col, userId]) => {
  const student = people.find((one) => one.id === userId);
  return { id, groupIndex, row: 1, col, userId, username: student?.username ?? null } as Seat;
});

const seat = (seatId: number): SeatTarget => ({ kind: 'seat', seatId });
const student = (userId: number): SeatTarget => ({ kind: 'student', userId });
const unseated: SeatTarget = { kind: 'unseated' };

describe('Room', () => {
  it('is turned around for the teacher’s view', () => {
    const ids = (side: 'class' | 'teacher') =>
      arrangeRoom(seats, side).map((group) => group.seats.map((one) => one.seat.id).join(' '));
    expect(ids('class')).toEqual(['11 12', '21 22']);
    expect(ids('teacher')).toEqual(['22 21', '12 11']);
  });

  it('has the size of its seats, and a usual size for a class', () => {
    expect(layoutSizeOf([])).toBeNull();
    expect(layoutSizeOf(seats)).toEqual({ groupCount: 2, rowsPerGroup: 1, colsPerGroup: 2 });
    expect(defaultLayoutSize(45, 20)).toEqual({ groupCount: 4, rowsPerGroup: 6, colsPerGroup: 2 });
    expect(defaultLayoutSize(0, 20).rowsPerGroup).toBe(1);
    expect(defaultLayoutSize(500, 20).rowsPerGroup).toBe(20);
  });

  it('has a preview with taken and free seats', () => {
    const size = { groupCount: 2, rowsPerGroup: 3, colsPerGroup: 2 };
    const { taken, free, width, height } = layoutPaths(size, 5);
    expect([taken.split('M').length - 1, free.split('M').length - 1]).toEqual([5, 7]);
    expect([width, height]).toEqual([44, 28]);
  });
});

describe('moveBetween', () => {
  it.each([
    ['moves a student to a free seat', seat(11), seat(21), { seatId: 21, userId: 1 }],
    ['swaps two students', seat(11), seat(12), { seatId: 12, userId: 1 }],
    ['moves a student off a seat', seat(11), unseated, { seatId: 11, userId: null }],
    ['seats an unseated student', student(3), seat(12), { seatId: 12, userId: 3 }],
    ['seats a student in place of another', seat(11), student(3), { seatId: 11, userId: 3 }],
    ['moves a student to a chosen free seat', seat(21), seat(12), { seatId: 21, userId: 2 }],
    ['seats an unseated student on a chosen seat', seat(21), student(3), { seatId: 21, userId: 3 }],
    ['moves no student to the same seat', seat(11), seat(11), null],
    ['moves nothing between free seats', seat(21), seat(22), null],
    ['moves nothing off a free seat', seat(21), unseated, null],
    ['moves nothing between unseated students', student(3), student(2), null],
    ['leaves an unseated student unseated', student(3), unseated, null],
  ])('%s', (_, from, to, move) => {
    expect(moveBetween(from, to, seats)).toEqual(move);
  });

  it.each([
    ['moves a student', { seatId: 21, userId: 1 }, [null, 2, 1, null]],
    ['swaps two students', { seatId: 12, userId: 1 }, [2, 1, null, null]],
    ['replaces a seated student', { seatId: 12, userId: 3 }, [1, 3, null, null]],
    ['frees a seat', { seatId: 12, userId: null }, [1, null, null, null]],
    ['changes nothing for an unknown seat', { seatId: 99, userId: 1 }, [1, 2, null, null]],
  ])('seatsAfter %s, and repeating changes nothing', (_, move, expected) => {
    const after = applySeatMove(seats, move, people);
    expect(after.map(({ userId }) => userId)).toEqual(expected);
    expect(applySeatMove(after, move, people)).toBe(after);
    expect(after.every(({ userId, username }) => username === (userId === null ? null : `u${userId}`))).toBe(
      true,
    );
  });
});

describe('Printed plan', () => {
  it('has names as large as the seats allow', () => {
    const large = { across: 12, aisles: 5, deep: 8 };
    const few = printedPlanSize(['李伟', '王芳'], [], { across: 6, aisles: 2, deep: 4 }).name;
    const many = printedPlanSize(['李伟', '王芳'], [], large).name;
    const long = printedPlanSize(['Maximiliane Featherstonehaugh'], [], large).name;
    expect(few).toBeGreaterThan(many);
    expect(many).toBeGreaterThan(long);
    expect(few).toBeLessThanOrEqual(14);
    const hall = printedPlanSize(['Amelie Lindqvist'], [], { across: 36, aisles: 5, deep: 10 });
    expect(hall).toMatchObject({ turned: true });
    expect(hall.name).toBeGreaterThan(1.5);
    expect(printedPlanSize([], [], { across: 400, aisles: 19, deep: 20 }).name).toBeGreaterThan(0);
  });
});
