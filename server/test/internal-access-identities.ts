import { type InternalOperationId, permissionNames, type Role } from '@classledger/contract';
import type { AccessCall, AccessWorld } from './internal-access-world.ts';
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

type Statuses = Readonly<Record<Identity, number>>;

const statuses = (...list: [...(readonly number[] & { length: 10 })]) =>
  Object.fromEntries(identities.map((identity, index) => [identity, list[index]])) as Statuses;

/** The allowed calls by identity, without the role table (docs/contract.md, Roles and Missing or out of range). */
// biome-ignore format: a table is read by its columns.
export const who = {
  //                     no one   super school grade class  other: grade class   foreign   student credential
  anybody:        statuses(200,  200, 200, 200, 200,  200, 200,  200,  200, 200),
  signedIn:       statuses(401,  200, 200, 200, 200,  200, 200,  200,  401, 401),
  students:       statuses(401,  401, 401, 401, 401,  401, 401,  401,  200, 401),
  superAdmins:    statuses(401,  200, 403, 403, 403,  403, 403,  403,  401, 401),
  /** A school is chosen; everyone sees their own range in it. */
  ofTheSchool:    statuses(401,  200, 200, 200, 200,  200, 200,  403,  401, 401),
  /** The same, but class administrators manage nobody. */
  managers:       statuses(401,  200, 200, 200, 403,  200, 403,  403,  401, 401),
  /** The target belongs to the school as a whole. */
  schoolAdmins:   statuses(401,  200, 200, 403, 403,  403, 403,  403,  401, 401),
  /** The target is the grade, or class administrators may not call it. */
  gradeAdmins:    statuses(401,  200, 200, 200, 403,  403, 403,  403,  401, 401),
  /** The target is the class or something in it. */
  inRange:        statuses(401,  200, 200, 200, 200,  403, 403,  403,  401, 401),
  /** A filter by grade, which administrators of any class in the grade may use. */
  seeingTheGrade: statuses(401,  200, 200, 200, 200,  403, 200,  403,  401, 401),
} as const;

export interface ExpectedAccess extends Omit<AccessCall, 'operation'> {
  readonly expected: Statuses;
}

export interface Row extends ExpectedAccess {
  readonly operation: InternalOperationId;
  readonly note: string | null;
}

export const row = (
  expected: Statuses,
  names: AccessCall['names'] = null,
  call: AccessCall['call'] = () => ({}),
): ExpectedAccess => ({ expected, names, call });

export const newPerson = (world: AccessWorld) => ({ username: world.newName(), password: 'secret-password' });
export const newCredential = (world: AccessWorld) => ({ name: world.newName(), scopes: permissionNames });
