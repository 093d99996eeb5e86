import { roles } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import {
  type Affiliation,
  affiliationFields,
  grantableRoles,
  isAffiliationComplete,
  isSameAffiliation,
} from './affiliation.ts';

const of = (role: Affiliation['role'], part: Partial<Affiliation> = {}): Affiliation => ({
  role,
  schoolId: null,
  gradeId: null,
  classId: null,
  ...part,
});

it.each([
  ['super_admin', roles],
  ['school_admin', ['grade_admin', 'class_admin']],
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
