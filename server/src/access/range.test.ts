import { roles } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adminRange, covers, type Range, type SchoolUnit, scopeTypeOf } from './range.ts';

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

describe('Range', () => {
  it('a range covers exactly the school, grades and classes inside it', () => {
    fc.assert(
      fc.property(place, place, fc.boolean(), (outer, inner, knows) => {
        expect(covers(rangeOf(outer, knows), inner)).toBe(contains(outer, inner));
      }),
      { numRuns: 2_000 },
    );
  });

  it('a range never covers another school, even with the same grade or class id', () => {
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 9 }), fc.boolean(), (at, shift, knows) => {
        const elsewhere = { ...at, schoolId: at.schoolId + shift };
        expect(covers(rangeOf(at, knows), elsewhere)).toBe(false);
        expect(covers({ ...rangeOf(at, knows), schoolId: at.schoolId + shift }, at)).toBe(false);
      }),
    );
  });

  it('the scope type of a range is school, grade or class', () => {
    expect(scopeTypeOf(school(1))).toBe('school');
    expect(scopeTypeOf(grade(100))).toBe('grade');
    expect(scopeTypeOf(classPlace(3))).toBe('class');
    expect(scopeTypeOf({ schoolId: 1, gradeId: null, classId: 3 })).toBe('class');
  });
});

describe('Range of an administrator', () => {
  const affiliation = { schoolId: 7, gradeId: 3, classId: 12 };

  it('is everything for a super admin', () => {
    expect(adminRange({ role: 'super_admin', schoolId: null, gradeId: null, classId: null })).toBe(
      'everything',
    );
  });

  it('depends only on the ids that the role needs', () => {
    expect(adminRange({ role: 'school_admin', ...affiliation })).toEqual(school(7));
    expect(adminRange({ role: 'grade_admin', ...affiliation })).toEqual({
      schoolId: 7,
      gradeId: 3,
      classId: null,
    });
    const ofClass = adminRange({ role: 'class_admin', ...affiliation });
    expect(ofClass).toMatchObject({ schoolId: 7, classId: 12 });
  });

  it('is null without the school, grade or class that the role needs', () => {
    for (const role of roles.filter((one) => one !== 'super_admin')) {
      expect(adminRange({ role, ...affiliation, schoolId: null })).toBeNull();
    }
    expect(adminRange({ role: 'grade_admin', ...affiliation, gradeId: null })).toBeNull();
    expect(adminRange({ role: 'class_admin', ...affiliation, classId: null })).toBeNull();
  });

  it('covers the class of a class admin in any grade', () => {
    const range = adminRange({ role: 'class_admin', ...affiliation });
    expect(covers(range as Range, { schoolId: 7, gradeId: 99, classId: 12 })).toBe(true);
  });
});
