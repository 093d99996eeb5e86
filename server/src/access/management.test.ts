import { type Role, roles } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { managedRoles, mayManage } from './management.ts';
import { adminRange, covers, type Responsibility } from './range.ts';

const gradeOfClass = (classId: number) => 100 + (classId % 4);
const schoolOfGrade = (gradeId: number) => 1000 + (gradeId % 2);

function responsible(role: Role, classId: number): Responsibility {
  const gradeId = gradeOfClass(classId);
  const schoolId = schoolOfGrade(gradeId);
  if (role === 'super_admin') return { role, schoolId: null, gradeId: null, classId: null };
  if (role === 'school_admin') return { role, schoolId, gradeId: null, classId: null };
  if (role === 'grade_admin') return { role, schoolId, gradeId, classId: null };
  return { role, schoolId, gradeId, classId };
}

const somebody = fc
  .tuple(fc.constantFrom(...roles), fc.integer({ min: 1, max: 12 }))
  .map(([role, classId]) => responsible(role, classId));
const level = (role: Role) => roles.indexOf(role);
const isSuper = ({ role }: Responsibility) => role === 'super_admin';

describe('Management of administrators', () => {
  it('an administrator manages exactly the lower roles inside the range', () => {
    fc.assert(
      fc.property(somebody, somebody, (manager, target) => {
        fc.pre(!isSuper(manager) && manager.role !== 'class_admin');
        const range = adminRange(manager);
        if (range === null || range === 'everything' || target.schoolId === null) {
          expect(mayManage(manager, target)).toBe(false);
          return;
        }
        const inside = covers(range, { ...target, schoolId: target.schoolId });
        expect(mayManage(manager, target)).toBe(inside && level(target.role) > level(manager.role));
      }),
      { numRuns: 3_000 },
    );
  });

  it('a super admin manages everyone, and a class admin nobody', () => {
    fc.assert(
      fc.property(somebody, somebody, (manager, target) => {
        if (isSuper(manager)) expect(mayManage(manager, target)).toBe(true);
        if (manager.role === 'class_admin') expect(mayManage(manager, target)).toBe(false);
      }),
    );
  });

  it('an administrator cannot gain rights through an administrator whom they manage', () => {
    fc.assert(
      fc.property(somebody, somebody, somebody, (manager, made, target) => {
        if (mayManage(manager, made) && mayManage(made, target))
          expect(mayManage(manager, target)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('a class admin belongs to the grade once the class is deleted, to the school once the grade is deleted', () => {
    const head = responsible('school_admin', 1);
    const gradeHead = responsible('grade_admin', 1);
    const otherGradeHead = responsible('grade_admin', 3);
    const withoutClass = { ...responsible('class_admin', 1), classId: null };
    const withoutGrade = { ...withoutClass, gradeId: null };
    const whoManages = (target: Responsibility) =>
      [head, gradeHead, otherGradeHead].map((one) => mayManage(one, target));
    expect(whoManages(withoutClass)).toEqual([true, true, false]);
    expect(whoManages(withoutGrade)).toEqual([true, false, false]);
  });

  it('a grade admin manages nobody after the grade is deleted', () => {
    fc.assert(
      fc.property(somebody, (target) => {
        expect(mayManage({ ...responsible('grade_admin', 1), gradeId: null }, target)).toBe(false);
      }),
    );
  });

  it('an administrator manages the roles below their own role, and a super admin all roles', () => {
    expect(roles.map((role) => managedRoles(role))).toEqual([
      ['super_admin', 'school_admin', 'grade_admin', 'class_admin'],
      ['grade_admin', 'class_admin'],
      ['class_admin'],
      [],
    ]);
  });
});
