import type { ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { missingEntries, missingStudents } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

const student = (id: number, classId: number, more: Partial<ListedStudent> = {}) =>
  ({
    ...{
      id,
      classId,
      username: `s${id}`,
      actualName: `S ${id}`,
      externalId: null,
      disabled: false,
      erased: false,
    },
    ...more,
  }) as ListedStudent;
const row = (username: string, classId: number | null, more: Partial<PlannedRow> = {}) =>
  ({
    username,
    classId,
    externalId: null,
    isNamed: false,
    actualName: '',
    problem: null,
    ...more,
  }) as PlannedRow;
const found = (id: number) => ({ id }) as never;

describe('Students missing in a list', () => {
  it('are only students of the list’s classes whom no row names', () => {
    const students = [
      student(1, 7),
      student(2, 7),
      student(3, 7, { externalId: 'S-3' }),
      student(4, 7, { disabled: true }),
      student(5, 7, { disabled: true, erased: true }),
      student(6, 8),
      student(7, 9),
      student(8, 7),
    ];
    const rows = [
      row('renamed', 7),
      row('s2', null, { problem: 'classUnknown' }),
      row('other', 9, { externalId: 'S-3', problem: 'identifierTwice' }),
      row('s7', 9),
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
    const students = [student(1, 7), student(2, 7), student(3, 8), student(4, 8), student(5, 9)];
    const toldWith = (...more: PlannedRow[]) => {
      const rows = [row('s1', 7), row('s3', 8), row('new', 9), ...more];
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
      expect(toldWith(row('3.7E+17', 7, { problem }))).toEqual([[4, 5], [2]]);
    }
    const named = { isNamed: true, actualName: 'Anybody', problem: 'usernameMissing' } as const;
    expect(toldWith(row('', 7, named))).toEqual([[4, 5], [2]]);
    // The row has no class, so it may mean anyone in the list's classes.
    expect(toldWith(row('', null, named))).toEqual([[], [2, 4, 5]]);
    expect(toldWith(row('', null, { problem: 'usernameMissing' }))).toEqual([[2, 4, 5], []]);
    // The row has a known username, although another number is rounded.
    expect(toldWith(row('s2', 7, { problem: 'numberRounded' }))).toEqual([[4, 5], []]);
    // A student who changes class is found by name.
    expect(toldWith(row('', 7, { ...named, actualName: 'S 4' }))).toEqual([[5], [2, 4]]);
    expect(toldWith(row('s1', 7, { ...named, actualName: 'S 2', problem: 'usernameTwice' }))).toEqual([
      [4, 5],
      [2],
    ]);
  });
});
