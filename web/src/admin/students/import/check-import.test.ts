import type { ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import {
  type CheckAnswer,
  checkedEntryOf,
  missingEntries,
  missingStudents,
  rowEffectsOf,
  skippedRowOf,
} from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';
import { studentOf } from './testing/plans.ts';

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
    const rows = [1, 2, 3, 4, 5].map((line) => row(line));
    const sorts = rowEffectsOf(rows, outcomes);
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

const inClass = (id: number, classId: number, more: Partial<ListedStudent> = {}) =>
  studentOf(id, `s${id}`, { classId, ...more });
const named = (username: string, classId: number | null, more: Partial<PlannedRow> = {}) =>
  row(1, { username, classId, ...more });
const found = (id: number) => ({ id }) as never;

describe('Students missing in a list', () => {
  it('are only students of the list’s classes whom no row names', () => {
    const students = [
      inClass(1, 7),
      inClass(2, 7),
      inClass(3, 7, { externalId: 'S-3' }),
      inClass(4, 7, { disabled: true }),
      inClass(5, 7, { disabled: true, erased: true }),
      inClass(6, 8),
      inClass(7, 9),
      inClass(8, 7),
    ];
    const rows = [
      named('renamed', 7),
      named('s2', null, { problem: 'classUnknown' }),
      named('other', 9, { externalId: 'S-3', problem: 'identifierTwice' }),
      named('s7', 9),
    ];
    const { missing, doubtful } = missingStudents(students, rows, new Map([[1, found(1)]]));
    expect([missing.map(({ id }) => id), doubtful]).toEqual([[8], []]);
    expect(missingEntries(missing, { what: 'leave', classId: null })).toEqual([]);
    const seen = { username: 's8', seenUserId: 8, seenClassId: 7, missing: true };
    expect(missingEntries(missing, { what: 'disable', classId: null })).toEqual([
      { ...seen, disabled: true },
    ]);
    expect(missingEntries(missing, { what: 'move', classId: null })).toEqual([]);
    expect(missingEntries(missing, { what: 'move', classId: 9 })).toEqual([{ ...seen, classId: 9 }]);
    expect(missingEntries(missing, { what: 'move', classId: 7 })).toEqual([]);
  });

  it('exclude students whom an unreadable row may mean', () => {
    const students = [inClass(1, 7), inClass(2, 7), inClass(3, 8), inClass(4, 8), inClass(5, 9)];
    const idsWith = (...more: PlannedRow[]) => {
      const rows = [named('s1', 7), named('s3', 8), named('new', 9), ...more];
      const { missing, doubtful } = missingStudents(students, rows, new Map());
      return [missing, doubtful].map((some) => some.map(({ id }) => id));
    };
    for (const problem of [
      'numberRounded',
      'numberShort',
      'usernameTooLong',
      'usernameControl',
      'characterLost',
      'idUnusable',
    ] as const) {
      expect(idsWith(named('3.7E+17', 7, { problem }))).toEqual([[4, 5], [2]]);
    }
    const unreadable = { isNamed: true, actualName: 'Anybody', problem: 'usernameMissing' } as const;
    expect(idsWith(named('', 7, unreadable))).toEqual([[4, 5], [2]]);
    // The row has no class, so it may mean anyone in the list's classes.
    expect(idsWith(named('', null, unreadable))).toEqual([[], [2, 4, 5]]);
    expect(idsWith(named('', null, { problem: 'usernameMissing' }))).toEqual([[2, 4, 5], []]);
    // The row has a known username, although another number is rounded.
    expect(idsWith(named('s2', 7, { problem: 'numberRounded' }))).toEqual([[4, 5], []]);
    // A student who changes class is found by name.
    expect(idsWith(named('', 7, { ...unreadable, actualName: 'S 4' }))).toEqual([[5], [2, 4]]);
    const twice = named('s1', 7, { ...unreadable, actualName: 'S 2', problem: 'usernameTwice' });
    expect(idsWith(twice)).toEqual([[4, 5], [2]]);
  });
});
