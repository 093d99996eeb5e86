import { limits } from 'virtual:contract';
import { describe, expect, it } from 'vitest';
import { batchRows } from './batch-rows.ts';
import { type Answer, dryRunImport, rowEffectsOf } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';
import { batchesOf } from './run-plan.ts';

const row = (line: number, more: Partial<PlannedRow> = {}) =>
  ({
    ...{ line, username: `u${line}`, actualName: '', isNamed: false, externalId: null, cardNumber: null },
    ...{ classId: 7, disabled: null, classLabel: '', problem: null, wide: {}, unknownClass: null },
    ...more,
  }) as PlannedRow;
const size = limits.studentsPerBatchMax;
const rowsTo = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));

function schoolWith(tell: (username: string, batch: readonly string[]) => Partial<Answer>) {
  const asked: string[][] = [];
  const ask = async (batch: readonly { username?: string | undefined }[]) => {
    const names = batch.map(({ username = '' }) => username);
    asked.push(names);
    const details = names.map(
      (username, index) =>
        ({
          ...{ index, success: true, code: 0, reason: null, username, id: null, action: 'created' },
          ...{ before: {}, after: {}, ...tell(username, names) },
        }) as Answer,
    );
    return { details };
  };
  return { asked, ask };
}
const options = { signal: new AbortController().signal, onProgress: () => {} };

it('a row whose class can be added is awaiting, otherwise a conflict', () => {
  const unknownClass = { gradeName: 'Grade 7', className: '1' };
  const awaiting = row(1, { problem: 'classUnknown', unknownClass });
  const other = row(2, { problem: 'classMissing', unknownClass: null });
  const sorts = (canBeAdded: boolean) => [
    ...rowEffectsOf([awaiting, other], null, () => canBeAdded).values(),
  ];
  expect(sorts(true)).toEqual(['awaiting', 'conflict']);
  expect(sorts(false)).toEqual(['conflict', 'conflict']);
});

describe('Check of a list in parts', () => {
  it('repeats a part without rows that match students of an earlier part', async () => {
    const rows = rowsTo(size + 3);
    const [again, fifth] = [size + 2, size + 3];
    const school = schoolWith((username, batch) => {
      if (username === 'u1') return { id: 5, action: 'updated' };
      if (username === `u${again}`) return { id: 5, action: 'updated' };
      // This row needs the value that row `again` would release.
      const isFree = batch.includes(`u${again}`);
      if (username === `u${fifth}` && !isFree) return { success: false, code: 40901, action: null };
      return {};
    });
    const fates = await dryRunImport(batchRows(rows, []), school.ask, options);
    expect(school.asked.map(({ length }) => length)).toEqual([size, 3, 2]);
    const sorts = rowEffectsOf(rows, fates);
    expect(rows.slice(size).map((one) => sorts.get(one))).toEqual(['created', 'twice', 'conflict']);
  });

  it('uses the parts of the run, and names the student that each row was checked against', async () => {
    const bad = row(size, { problem: 'classUnknown' });
    const rows = [...rowsTo(size - 1), bad, row(size + 1), row(size + 2)];
    const school = schoolWith((username) =>
      username === `u${size + 1}`
        ? { id: 9, action: 'updated' }
        : username === 'u1'
          ? {}
          : { id: Number(username.slice(1)) + 1000, action: 'unchanged' },
    );
    const fates = await dryRunImport(batchRows(rows, []), school.ask, options);
    expect(school.asked.map(({ length }) => length)).toEqual([size, 1]);
    const todo = [1, size + 1];
    const parts = batchRows(rows, []).batches.map((part) => part.filter(({ line }) => todo.includes(line)));
    const batches = batchesOf({ parts: parts.slice(0, 1), fates, missing: [], left: [] });
    expect(batches.map(({ entries }) => entries)).toEqual([
      [
        { username: 'u1', classId: 7, seenUserId: null },
        { username: `u${size + 1}`, classId: 7, seenUserId: 9 },
      ],
    ]);
    const sorts = rowEffectsOf(rows, fates);
    expect(sorts.get(bad)).toBe('conflict');
  });
});
