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
  const quiet = { parallelMax: 3, onProgress: () => {}, isStopped: () => false };

  it('keeps the order of items, and a failed item does not stop the others', async () => {
    const outcomes = await runEach(
      [1, 2, 3, 4],
      async (n) => {
        await new Promise((resolve) => setTimeout(resolve, 8 - n));
        if (n === 3) throw new Error('three');
        return n * 10;
      },
      quiet,
    );
    expect(outcomes).toEqual([
      { item: 1, done: 10 },
      { item: 2, done: 20 },
      { item: 3, error: new Error('three') },
      { item: 4, done: 40 },
    ]);
  });

  it('works on three at a time and reports progress', async () => {
    let working = 0;
    let most = 0;
    const reported: number[] = [];
    await runEach(
      Array.from({ length: 10 }),
      async () => {
        working += 1;
        most = Math.max(most, working);
        await Promise.resolve();
        working -= 1;
      },
      { ...quiet, onProgress: (finished) => reported.push(finished) },
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
      { ...quiet, parallelMax: 1, isStopped: () => stopped },
    );
    expect(outcomes.map(({ error }) => error instanceof StoppedByUser)).toEqual([false, false, true]);
  });
});
