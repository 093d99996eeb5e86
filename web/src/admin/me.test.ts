import { describe, expect, it } from 'vitest';
import { type Me, managesClass, onlyClassIdOf } from './me.ts';

const person = (role: Me['role'], more: Partial<Me> = {}) =>
  ({ role, gradeId: null, classId: null, taughtClassIds: [], ...more }) as Me;

const own = { id: 11, gradeId: 1 };
const sameGrade = { id: 12, gradeId: 1 };
const otherGrade = { id: 21, gradeId: 2 };

describe('managesClass', () => {
  it.each([
    [person('super_admin'), [true, true, true]],
    [person('school_admin', { taughtClassIds: [21] }), [true, true, true]],
    [person('grade_admin', { gradeId: 1, taughtClassIds: [21] }), [true, true, false]],
    [person('class_admin', { gradeId: 1, classId: 11, taughtClassIds: [12, 21] }), [true, false, false]],
    [person('class_admin', { taughtClassIds: [12, 21] }), [false, false, false]],
    [person('teacher', { taughtClassIds: [11, 12, 21] }), [false, false, false]],
  ])('follows the role, not the taught classes: $0.role', (me, expected) => {
    expect([own, sameGrade, otherGrade].map((of) => managesClass(me, of))).toEqual(expected);
  });
});

describe('onlyClassIdOf', () => {
  it.each([
    [person('class_admin', { gradeId: 1, classId: 11 }), 11],
    [person('class_admin', { gradeId: 1, classId: 11, taughtClassIds: [11] }), 11],
    [person('class_admin', { gradeId: 1, classId: 11, taughtClassIds: [12] }), null],
    [person('teacher', { taughtClassIds: [21] }), 21],
    [person('teacher', { taughtClassIds: [11, 21] }), null],
    [person('teacher'), null],
    [person('grade_admin', { gradeId: 1, taughtClassIds: [21] }), null],
    [person('school_admin', { taughtClassIds: [21] }), null],
  ])('counts the own class and the taught classes: $0.role, $1', (me, expected) => {
    expect(onlyClassIdOf(me)).toBe(expected);
  });
});
