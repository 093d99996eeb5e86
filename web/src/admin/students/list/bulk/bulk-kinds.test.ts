import type { ListedStudent } from '@classledger/contract';
import { expect, it } from 'vitest';
import { groupsOf } from './bulk-kinds.ts';

const student = (id: number, classId: number, erased = false) => ({ id, classId, erased }) as ListedStudent;

it('whoever was erased keeps nobody else of the class from new passwords', () => {
  const groups = groupsOf('resetPasswords', [
    student(1, 7),
    student(2, 7, true),
    student(3, 8),
    student(4, 7),
  ]);
  expect(groups.map(({ students }) => students.map(({ id }) => id))).toEqual([[1, 4], [3], [2]]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(3);
});
