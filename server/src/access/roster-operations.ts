import { type Permission, scopeTypes } from '@classledger/contract';
import type { CallRequirements } from './admission.ts';
import type { SchoolData } from './school-data.ts';

export const rosterPrefix = '/ims/oneroster';
export const rosterServicePath = `${rosterPrefix}/rostering/v1p2`;

export type CollectionName =
  | 'orgs'
  | 'academicSessions'
  | 'courses'
  | 'classes'
  | 'users'
  | 'enrollments'
  | 'demographics';

interface Collection {
  readonly recordName: string;
  readonly permission: Permission;
}

export const collections: Readonly<Record<CollectionName, Collection>> = {
  orgs: { recordName: 'org', permission: 'structure:read' },
  academicSessions: { recordName: 'academicSession', permission: 'structure:read' },
  courses: { recordName: 'course', permission: 'structure:read' },
  classes: { recordName: 'class', permission: 'structure:read' },
  users: { recordName: 'user', permission: 'students:read' },
  enrollments: { recordName: 'enrollment', permission: 'students:read' },
  demographics: { recordName: 'demographics', permission: 'students:read' },
};

export interface RosterCall {
  readonly data: SchoolData;
  readonly schoolId: number;
  readonly at: Date;
  /** The service's URL, for references to records. */
  readonly base: string;
}

export interface RosterPredicate {
  readonly field: string;
  readonly comparison: '=' | '!=' | '>' | '>=' | '<' | '<=' | '~';
  /** A moment is in UTC with milliseconds. */
  readonly value: string;
}

export interface RosterQuery {
  readonly offset: number;
  readonly limit: number;
  /** Null sorts by id. */
  readonly sort: { readonly field: string; readonly direction: 'asc' | 'desc' } | null;
  /** One of these lists must match, with all of its predicates. */
  readonly anyOf: readonly (readonly RosterPredicate[])[];
}

export interface QueryableFields {
  /** For filter and sort, with dots: `roles.org.sourcedId`. */
  readonly fields: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
}

export type RosterRecord = Readonly<Record<string, unknown>>;

export interface RosterCollection extends QueryableFields {
  read(call: RosterCall, query: RosterQuery): Promise<{ records: RosterRecord[]; total: number }>;
}

export type RosterCollections = Readonly<Record<CollectionName, RosterCollection>>;

/** Names a record in the path and the field by which results refer to it. `field` is null when all results do. */
export interface ParentRecord {
  readonly collection: CollectionName;
  readonly parameter: string;
  readonly field: string | null;
  /** The record must also match this. */
  readonly fixedFilter?: FixedFilter;
}

interface FixedFilter {
  readonly field: string;
  readonly value: string;
}

export interface RosterOperation {
  readonly id: string;
  readonly path: string;
  readonly collection: CollectionName;
  readonly parents: readonly ParentRecord[];
  readonly fixedFilter?: FixedFilter;
}

const requiring = (permission: Permission): CallRequirements => ({ permission, scopeTypes });

export function requirementsOf({ collection, parents }: RosterOperation): readonly CallRequirements[] {
  const named = [collection, ...parents.map((one) => one.collection)];
  return [...new Set(named.map((name) => collections[name].permission))].map(requiring);
}

const revealingFilters: Readonly<Record<string, CallRequirements>> = {
  'students.sourcedId': requiring(collections.users.permission),
};

export const filterRequirements = (fields: readonly string[]): readonly CallRequirements[] =>
  fields.flatMap((field) => revealingFilters[field] ?? []);

const listAndGet = (
  name: string,
  path: string,
  collection: CollectionName,
  one: string,
): RosterOperation[] => [
  { id: `getAll${name}`, path: `/${path}`, collection, parents: [] },
  { id: `get${one}`, path: `/${path}/:sourcedId`, collection, parents: [] },
];

const nested = (id: string, path: string, collection: CollectionName, ...parents: ParentRecord[]) => ({
  id,
  path,
  collection,
  parents,
});

const inSchool = (field: string | null, parameter = 'sourcedId'): ParentRecord => ({
  collection: 'orgs',
  parameter,
  field,
});
const inClass = (field: string): ParentRecord => ({ collection: 'classes', parameter: 'sourcedId', field });
const inTerm = (field: string | null): ParentRecord => ({
  collection: 'academicSessions',
  parameter: 'sourcedId',
  field,
});
const ofUser: ParentRecord = { collection: 'users', parameter: 'sourcedId', field: 'students.sourcedId' };

const student = { field: 'roles.role', value: 'student' };
const teacher = { field: 'roles.role', value: 'teacher' };
const gradingPeriod = { field: 'type', value: 'gradingPeriod' };
const withFilter =
  (fixedFilter: FixedFilter) =>
  (operation: RosterOperation): RosterOperation => ({ ...operation, fixedFilter });

const usersOfRole = (one: 'Student' | 'Teacher', path: string): RosterOperation[] => [
  ...listAndGet(`${one}s`, path, 'users', one),
  nested(`get${one}sForSchool`, `/schools/:sourcedId/${path}`, 'users', inSchool('roles.org.sourcedId')),
  nested(`get${one}sForClass`, `/classes/:sourcedId/${path}`, 'users', inClass('class.sourcedId')),
  nested(
    `get${one}sForClassInSchool`,
    `/schools/:schoolSourcedId/classes/:sourcedId/${path}`,
    'users',
    inSchool('roles.org.sourcedId', 'schoolSourcedId'),
    inClass('class.sourcedId'),
  ),
];

/** Lists OneRoster 1.2 operations. Clients request grading periods too, so lists of them exist, but are always empty. */
export const rosterOperations: readonly RosterOperation[] = [
  ...listAndGet('Orgs', 'orgs', 'orgs', 'Org'),
  ...listAndGet('Schools', 'schools', 'orgs', 'School'),
  ...listAndGet('AcademicSessions', 'academicSessions', 'academicSessions', 'AcademicSession'),
  ...listAndGet('Terms', 'terms', 'academicSessions', 'Term'),
  ...listAndGet('Courses', 'courses', 'courses', 'Course'),
  ...listAndGet('Classes', 'classes', 'classes', 'Class'),
  ...listAndGet('Users', 'users', 'users', 'User'),
  ...listAndGet('Enrollments', 'enrollments', 'enrollments', 'Enrollment'),
  nested('getTermsForSchool', '/schools/:sourcedId/terms', 'academicSessions', inSchool(null)),
  nested('getCoursesForSchool', '/schools/:sourcedId/courses', 'courses', inSchool('org.sourcedId')),
  nested('getClassesForSchool', '/schools/:sourcedId/classes', 'classes', inSchool('school.sourcedId')),
  nested(
    'getEnrollmentsForSchool',
    '/schools/:sourcedId/enrollments',
    'enrollments',
    inSchool('school.sourcedId'),
  ),
  nested(
    'getEnrollmentsForClassInSchool',
    '/schools/:schoolSourcedId/classes/:sourcedId/enrollments',
    'enrollments',
    inSchool('school.sourcedId', 'schoolSourcedId'),
    inClass('class.sourcedId'),
  ),
  nested('getClassesForTerm', '/terms/:sourcedId/classes', 'classes', inTerm('terms.sourcedId')),
  nested('getClassesForCourse', '/courses/:sourcedId/classes', 'classes', {
    collection: 'courses',
    parameter: 'sourcedId',
    field: 'course.sourcedId',
  }),
  nested('getClassesForStudent', '/students/:sourcedId/classes', 'classes', {
    ...ofUser,
    fixedFilter: student,
  }),
  nested('getClassesForTeacher', '/teachers/:sourcedId/classes', 'classes', {
    ...ofUser,
    fixedFilter: teacher,
  }),
  nested('getClassesForUser', '/users/:sourcedId/classes', 'classes', ofUser),
  ...listAndGet('Demographics', 'demographics', 'demographics', 'Demographics'),
  ...usersOfRole('Student', 'students').map(withFilter(student)),
  ...usersOfRole('Teacher', 'teachers').map(withFilter(teacher)),
  ...[
    ...listAndGet('GradingPeriods', 'gradingPeriods', 'academicSessions', 'GradingPeriod'),
    nested('getGradingPeriodsForTerm', '/terms/:sourcedId/gradingPeriods', 'academicSessions', inTerm(null)),
  ].map(withFilter(gradingPeriod)),
];
