import { roles } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import {
  type Affiliation,
  affiliationFields,
  grantableRoles,
  isAffiliationComplete,
  isSameAffiliation,
} from './affiliation.ts';
import {
  addTaughtRow,
  changedTaughtClasses,
  shortenTaughtClasses,
  taughtFault,
  taughtRowsOf,
} from './taught-classes.ts';

const of = (role: Affiliation['role'], part: Partial<Affiliation> = {}): Affiliation => ({
  role,
  schoolId: null,
  gradeId: null,
  classId: null,
  ...part,
});

it.each([
  ['super_admin', roles],
  ['school_admin', ['grade_admin', 'class_admin', 'teacher']],
  ['grade_admin', ['class_admin']],
  ['class_admin', []],
] as const)('an administrator with the role %s may give the roles %j', (role, granted) => {
  expect(grantableRoles(role)).toEqual(granted);
});

describe('Affiliation of an administrator', () => {
  it.each([
    [of('super_admin'), true],
    [of('school_admin'), false],
    [of('school_admin', { schoolId: 7 }), true],
    [of('grade_admin', { schoolId: 7 }), false],
    [of('class_admin', { schoolId: 7, gradeId: 3 }), false],
    [of('class_admin', { schoolId: 7, classId: 12 }), true],
    [of('teacher', { schoolId: 7 }), true],
  ])('%j is complete, with the school, grade or class that the role needs: %j', (affiliation, expected) => {
    expect(isAffiliationComplete(affiliation)).toBe(expected);
  });

  it('is sent with only the school, grade or class that the role needs', () => {
    const everything = { schoolId: 7, gradeId: 3, classId: 12 };
    expect(affiliationFields(of('super_admin', everything))).toEqual({ role: 'super_admin' });
    const ofGrade = { role: 'grade_admin', schoolId: 7, gradeId: 3 };
    expect(affiliationFields(of('grade_admin', everything))).toEqual(ofGrade);
    const [one, other] = [of('class_admin', everything), of('class_admin', { ...everything, gradeId: null })];
    expect(isSameAffiliation(one, other)).toBe(true);
  });
});

describe('Classes that an administrator teaches', () => {
  const taught = (classId: number, subject: string | null = null) => ({
    classId,
    className: `${classId}`,
    gradeName: 'Grade 7',
    subject,
  });
  const before = [taught(1, 'Maths'), taught(2)];
  const rows = taughtRowsOf(before);

  it('are sent only if a row has changed', () => {
    expect(changedTaughtClasses(rows, before)).toBeNull();
    expect(changedTaughtClasses(rows.slice(1), before)).toEqual([{ classId: 2, subject: null }]);
    const renamed = rows.map((row) => ({ ...row, subject: ' Art ' }));
    expect(changedTaughtClasses(renamed, [taught(1, 'Art'), taught(2, 'Art')])).toBeNull();
  });

  it('are refused if a class is missing or named twice', () => {
    const longer = addTaughtRow(addTaughtRow(rows));
    expect(longer.map(({ key }) => key)).toEqual([1, 2, -1, -2]);
    const filled = longer.map((row) => (row.key === -1 ? { ...row, classId: 2 } : row));
    const faults = filled.map((row) => taughtFault(filled, row));
    expect(faults).toEqual([null, 'taughtTwice', 'taughtTwice', 'taughtMissing']);
  });

  it('are shown with their subjects, two and the number of the others', () => {
    const shown = ['Grade 7 1 Maths', 'Grade 7 2'];
    expect(shortenTaughtClasses(before)).toEqual({ shown, more: 0 });
    expect(shortenTaughtClasses([...before, taught(3), taught(4)])).toEqual({ shown, more: 2 });
  });
});
