import type { Role } from '@classledger/contract';
import type { SampleSchool } from './test-app.ts';

/**
 * All targets are in the first class of the first grade.
 * `otherGrade` and `otherClass` manage others, `foreign` another school.
 */
export const identities = [
  'nobody',
  'super',
  'school',
  'grade',
  'class',
  'otherGrade',
  'otherClass',
  'foreign',
  'student',
  'credential',
] as const;
export type Identity = (typeof identities)[number];

export const administrators = {
  super: 'super_admin',
  school: 'school_admin',
  grade: 'grade_admin',
  class: 'class_admin',
  otherGrade: 'grade_admin',
  otherClass: 'class_admin',
  foreign: 'school_admin',
} as const satisfies Partial<Record<Identity, Role>>;
export type AdminIdentity = keyof typeof administrators;

export const isAdmin = (identity: Identity): identity is AdminIdentity => identity in administrators;

export interface Place {
  readonly schoolId: number;
  readonly schoolDb: string;
  readonly schoolName: string;
  readonly gradeId: number;
  readonly classId: number;
  readonly student: { readonly id: number; readonly username: string };
}

export interface Caller {
  readonly username: string;
  readonly password: string;
}

/** Returns the grade, class and student of a school that are the targets of calls. */
export function placeIn({ id, schoolDb, name, grades }: SampleSchool): Place {
  const [grade] = grades;
  const [first] = grade.classes;
  const student = first.students[0] as Place['student'];
  return { schoolId: id, schoolDb, schoolName: name, gradeId: grade.id, classId: first.id, student };
}
