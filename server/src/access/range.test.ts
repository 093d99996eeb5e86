import { type Duty, mayDo, type Role, roles, roleTable } from '@classledger/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { adminRange, covers, mayManage, type Range, type Responsibility, type SchoolUnit } from './range.ts';

const gradeOfClass = (classId: number) => 100 + (classId % 5);
const schoolOfGrade = (gradeId: number) => 1000 + (gradeId % 2);

const school = (schoolId: number): SchoolUnit => ({ schoolId, gradeId: null, classId: null });
const grade = (gradeId: number): SchoolUnit => ({ schoolId: schoolOfGrade(gradeId), gradeId, classId: null });
const classPlace = (classId: number): SchoolUnit => ({ ...grade(gradeOfClass(classId)), classId });

const place = fc.oneof(
  fc.constantFrom(1000, 1001).map(school),
  fc.integer({ min: 100, max: 104 }).map(grade),
  fc.integer({ min: 1, max: 20 }).map(classPlace),
);

const rangeOf = (at: SchoolUnit, knowsGrade = false): Range =>
  at.classId !== null && !knowsGrade ? { ...at, gradeId: null } : at;

const contains = (outer: SchoolUnit, inner: SchoolUnit) =>
  outer.schoolId === inner.schoolId &&
  (outer.gradeId === null || outer.gradeId === inner.gradeId) &&
  (outer.classId === null || outer.classId === inner.classId);

it('a range covers exactly the school, grades and classes inside it', () => {
  fc.assert(
    fc.property(place, place, fc.boolean(), (outer, inner, knows) => {
      expect(covers(rangeOf(outer, knows), inner)).toBe(contains(outer, inner));
      // Never covers the same ids of another school.
      expect(covers(rangeOf(outer, knows), { ...outer, schoolId: outer.schoolId + 1 })).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

const affiliation = { schoolId: 7, gradeId: 3, classId: 12 };

it('the range of an administrator depends only on the ids that the role needs, and is everything for a super admin', () => {
  const none = { schoolId: null, gradeId: null, classId: null };
  expect(adminRange({ role: 'super_admin', ...none })).toBe('everything');
  expect(adminRange({ role: 'school_admin', ...affiliation })).toEqual(school(7));
  expect(adminRange({ role: 'grade_admin', ...affiliation })).toEqual({ ...affiliation, classId: null });
  expect(adminRange({ role: 'class_admin', ...affiliation })).toEqual({ ...affiliation, gradeId: null });
});

it('the range of an administrator is null without the school, grade or class that the role needs', () => {
  for (const role of roles.filter((one) => one !== 'super_admin')) {
    expect(adminRange({ role, ...affiliation, schoolId: null })).toBeNull();
  }
  expect(adminRange({ role: 'grade_admin', ...affiliation, gradeId: null })).toBeNull();
  expect(adminRange({ role: 'class_admin', ...affiliation, classId: null })).toBeNull();
});

function responsible(role: Role, classId: number): Responsibility {
  const own = classPlace(classId);
  if (role === 'super_admin') return { role, schoolId: null, gradeId: null, classId: null };
  if (role === 'school_admin' || role === 'teacher') return { role, ...school(own.schoolId) };
  return { role, ...own, ...(role === 'grade_admin' && { classId: null }) };
}

const somebody = fc
  .tuple(fc.constantFrom(...roles), fc.integer({ min: 1, max: 12 }))
  .map(([role, classId]) => responsible(role, classId));

it('an administrator manages exactly the lower roles inside the range, and a super admin everyone', () => {
  fc.assert(
    fc.property(somebody, somebody, (manager, target) => {
      const range = adminRange(manager);
      const isInside =
        range === 'everything' ||
        (range !== null &&
          target.schoolId !== null &&
          covers(range, { ...target, schoolId: target.schoolId }));
      const isLower =
        mayDo(manager.role, 'manageAdministrators') &&
        roles.indexOf(target.role) > roles.indexOf(manager.role);
      const mayAll = manager.role === 'super_admin';
      expect(mayManage(manager, target)).toBe(mayAll || (isInside && isLower));
    }),
    { numRuns: 3_000 },
  );
});

it('an administrator cannot gain rights through an administrator whom they manage', () => {
  fc.assert(
    fc.property(somebody, somebody, somebody, (manager, made, target) => {
      if (mayManage(manager, made) && mayManage(made, target)) expect(mayManage(manager, target)).toBe(true);
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

it('a role that only a newer release knows has no duty', () => {
  const duties = Object.keys(roleTable) as Duty[];
  expect(duties.filter((duty) => mayDo('observer' as Role, duty))).toEqual([]);
});
