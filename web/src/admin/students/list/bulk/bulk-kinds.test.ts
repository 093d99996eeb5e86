import type { ListedStudent } from '@classledger/contract';
import { expect, it } from 'vitest';
import { bulkGroupsOf } from './bulk-kinds.ts';

const student = (id: number, classId: number, { gradeId = 1, erased = false } = {}) =>
  ({ id, classId, gradeId, erased }) as ListedStudent;

it('an erased student does not prevent new passwords for other students of the class', () => {
  const groups = bulkGroupsOf('resetPasswords', [
    student(1, 7),
    student(2, 7, { erased: true }),
    student(3, 8),
    student(4, 7),
  ]);
  expect(groups.map(({ students }) => students.map(({ id }) => id))).toEqual([[1, 4], [3], [2]]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(3);
});

it('new passwords are grouped by class of the school, in the order of the list', () => {
  const many = Array.from({ length: 21 }, (_, n) => student(100 - n, 3));
  const inSecond = student(7, 1, { gradeId: 2 });
  const listed = [inSecond, ...many.slice(0, 2), student(6, 2), ...many.slice(2)];
  const groups = bulkGroupsOf('resetPasswords', listed).map(({ students }) => students);
  expect(groups).toEqual([[student(6, 2)], many.slice(0, 20), many.slice(20), [inSecond]]);
  expect(bulkGroupsOf('delete', listed).flatMap(({ students }) => students)).toEqual(listed);
});
