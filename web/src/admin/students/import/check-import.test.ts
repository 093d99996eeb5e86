import { describe, expect, it } from 'vitest';
import { type CheckAnswer, checkedEntryOf, rowEffectsOf, skippedRowOf } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

const row = (line: number, more: Partial<PlannedRow> = {}) =>
  ({
    ...{ line, username: `u${line}`, actualName: '', isNamed: false, externalId: null, cardNumber: null },
    ...{ classId: 7, disabled: null, classLabel: '', problem: null, wide: {}, unknownClass: null },
    ...more,
  }) as PlannedRow;
const answer = (id: number | null, action: CheckAnswer['action']) => ({ id, action }) as CheckAnswer;

describe('A checked row', () => {
  it('of an unknown class waits if the class can be added, and is a conflict otherwise', () => {
    const unknownClass = { gradeName: 'Grade 7', className: '1' };
    const awaiting = row(1, { problem: 'classUnknown', unknownClass });
    const other = row(2, { problem: 'classMissing', unknownClass: null });
    const sorts = (canBeAdded: boolean) => [
      ...rowEffectsOf([awaiting, other], null, () => canBeAdded).values(),
    ];
    expect(sorts(true)).toEqual(['awaiting', 'conflict']);
    expect(sorts(false)).toEqual(['conflict', 'conflict']);
  });

  it('gets its outcome from the server’s answer, and is pending without an answer', () => {
    const outcomes = new Map([
      [1, answer(5, 'updated')],
      [2, answer(6, 'unchanged')],
      [3, answer(null, 'created')],
      [4, answer(null, null)],
    ]);
    const sorts = rowEffectsOf(
      [1, 2, 3, 4, 5].map((line) => row(line)),
      outcomes,
    );
    expect([...sorts.values()]).toEqual(['updated', 'unchanged', 'created', 'conflict', 'pending']);
  });

  it('that is left out is sent with the reason, in texts that the server accepts', () => {
    const unusual = row(3, { username: 'a\0b\ud800', actualName: '𠮷'.repeat(101) });
    expect(skippedRowOf(unusual, 'No class')).toEqual({
      ...{ line: 3, username: 'ab\ufffd', actualName: '𠮷'.repeat(100), reason: 'No class' },
    });
  });

  it('is sent with the id of the student that the check found', () => {
    const outcomes = new Map([
      [1, answer(null, 'created')],
      [2, answer(9, 'updated')],
    ]);
    expect([1, 2].map((line) => checkedEntryOf(row(line), outcomes))).toEqual([
      { line: 1, username: 'u1', classId: 7, seenUserId: null },
      { line: 2, username: 'u2', classId: 7, seenUserId: 9 },
    ]);
  });
});
