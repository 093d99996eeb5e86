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

describe('grantableRoles', () => {
  it('returns the roles below the given role, and all roles for a super administrator', () => {
    expect(grantableRoles('super_admin')).toEqual(roles);
    expect(grantableRoles('school_admin')).toEqual(['grade_admin', 'class_admin']);
    expect(grantableRoles('grade_admin')).toEqual(['class_admin']);
    expect(grantableRoles('class_admin')).toEqual([]);
  });
});

describe('Affiliation of an administrator', () => {
  it('is complete when it has the school, grade or class that the role needs', () => {
    expect(isAffiliationComplete(of('super_admin'))).toBe(true);
    expect(isAffiliationComplete(of('school_admin'))).toBe(false);
    expect(isAffiliationComplete(of('school_admin', { schoolId: 7 }))).toBe(true);
    expect(isAffiliationComplete(of('grade_admin', { schoolId: 7 }))).toBe(false);
    expect(isAffiliationComplete(of('class_admin', { schoolId: 7, gradeId: 3 }))).toBe(false);
    expect(isAffiliationComplete(of('class_admin', { schoolId: 7, classId: 12 }))).toBe(true);
  });

  it('is sent with only the school, grade or class that the role needs', () => {
    const everything = { schoolId: 7, gradeId: 3, classId: 12 };
    expect(affiliationFields(of('super_admin', everything))).toEqual({ role: 'super_admin' });
    expect(affiliationFields(of('grade_admin', everything))).toEqual({
      role: 'grade_admin',
      schoolId: 7,
      gradeId: 3,
    });
    const [one, other] = [of('class_admin', everything), of('class_admin', { ...everything, gradeId: null })];
    expect(isSameAffiliation(one, other)).toBe(true);
  });
});
