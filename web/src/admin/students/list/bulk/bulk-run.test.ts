import type { ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { bulkGroupsOf, runEach, StoppedByUser } from './bulk-run.ts';

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

describe('runEach', () => {
  it('works on three items at a time, keeps their order, reports progress, and goes on after a failure', async () => {
    const numbers = Array.from({ length: 10 }, (_, n) => n);
    const working = new Set<number>();
    let most = 0;
    const reported: number[] = [];
    const outcomes = await runEach(
      numbers,
      async (n) => {
        working.add(n);
        most = Math.max(most, working.size);
        // The first item ends last of the first three.
        for (let turn = n; turn < 3; turn += 1) await Promise.resolve();
        working.delete(n);
        if (n === 3) throw new Error('three');
        return n * 10;
      },
      { parallelMax: 3, onProgress: (finished) => reported.push(finished), isStopped: () => false },
    );
    expect(outcomes).toEqual(
      numbers.map((item) => (item === 3 ? { item, error: new Error('three') } : { item, done: item * 10 })),
    );
    expect(most).toBe(3);
    expect(reported).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('skips the remaining items when stopped', async () => {
    let stopped = false;
    const outcomes = await runEach(
      [1, 2, 3],
      async (n) => {
        if (n === 2) stopped = true;
      },
      { parallelMax: 1, onProgress: () => {}, isStopped: () => stopped },
    );
    expect(outcomes.map(({ error }) => error instanceof StoppedByUser)).toEqual([false, false, true]);
  });
});
