import { type Permission, scopeTypes } from '@classledger/contract';
import type { Admitting } from './admission.ts';

export const rosterPrefix = '/ims/oneroster';
/** Path of the service below the installation's address. */
export const rosterService = `${rosterPrefix}/rostering/v1p2`;

/** Names a collection behind the operations; several operations show the same one. */
export type CollectionName =
  | 'orgs'
  | 'academicSessions'
  | 'courses'
  | 'classes'
  | 'users'
  | 'enrollments'
  | 'demographics';

interface Shown {
  readonly one: string;
  readonly permission: Permission;
}

export const collections: Readonly<Record<CollectionName, Shown>> = {
  orgs: { one: 'org', permission: 'structure:read' },
  academicSessions: { one: 'academicSession', permission: 'structure:read' },
  courses: { one: 'course', permission: 'structure:read' },
  classes: { one: 'class', permission: 'structure:read' },
  users: { one: 'user', permission: 'students:read' },
  enrollments: { one: 'enrollment', permission: 'students:read' },
  demographics: { one: 'demographics', permission: 'students:read' },
};

/** Names a record in the path and the collection's field that points to it; null when every record does. */
export interface Within {
  readonly collection: CollectionName;
  readonly parameter: string;
  readonly field: string | null;
}

export interface RosterOperation {
  readonly id: string;
  readonly path: string;
  readonly collection: CollectionName;
  readonly isOne: boolean;
  readonly within: readonly Within[];
  readonly only?: { readonly field: string; readonly value: string };
}

const admitting = (permission: Permission): Admitting => ({ permission, scopeTypes });

/** Returns the requirements of every collection that an operation shows or names. */
export function neededFor({ collection, within }: RosterOperation): readonly Admitting[] {
  const named = [collection, ...within.map((one) => one.collection)];
  return [...new Set(named.map((name) => collections[name].permission))].map(admitting);
}

/** Filter fields that reveal data of another collection. */
const telling: Readonly<Record<string, Admitting>> = {
  'students.sourcedId': admitting(collections.users.permission),
};

/** Returns what a credential also needs to filter by these fields, or by any revealing field. */
export const neededToFilterBy = (fields = Object.keys(telling)): readonly Admitting[] =>
  fields.flatMap((field) => telling[field] ?? []);

const listed = (name: string, path: string, collection: CollectionName, one: string): RosterOperation[] => [
  { id: `getAll${name}`, path: `/${path}`, collection, isOne: false, within: [] },
  { id: `get${one}`, path: `/${path}/:sourcedId`, collection, isOne: true, within: [] },
];

const nested = (id: string, path: string, collection: CollectionName, ...within: Within[]) => ({
  id,
  path,
  collection,
  isOne: false,
  within,
});

const inSchool = (field: string | null, parameter = 'sourcedId'): Within => ({
  collection: 'orgs',
  parameter,
  field,
});
const inClass = (field: string): Within => ({ collection: 'classes', parameter: 'sourcedId', field });
const ofStudent: Within = { collection: 'users', parameter: 'sourcedId', field: 'students.sourcedId' };

const teacher = { field: 'roles.role', value: 'teacher' };
const gradingPeriod = { field: 'type', value: 'gradingPeriod' };
const onlyIn =
  (only: NonNullable<RosterOperation['only']>) =>
  (operation: RosterOperation): RosterOperation => ({ ...operation, only });

/**
 * Lists the operations of the OneRoster 1.2 rostering service. Classledger has no teachers, grading periods or
 * demographics, but clients request them, so their lists are empty.
 */
export const rosterOperations: readonly RosterOperation[] = [
  ...listed('Orgs', 'orgs', 'orgs', 'Org'),
  ...listed('Schools', 'schools', 'orgs', 'School'),
  ...listed('AcademicSessions', 'academicSessions', 'academicSessions', 'AcademicSession'),
  ...listed('Terms', 'terms', 'academicSessions', 'Term'),
  ...listed('Courses', 'courses', 'courses', 'Course'),
  ...listed('Classes', 'classes', 'classes', 'Class'),
  ...listed('Users', 'users', 'users', 'User'),
  ...listed('Students', 'students', 'users', 'Student'),
  ...listed('Enrollments', 'enrollments', 'enrollments', 'Enrollment'),
  nested('getTermsForSchool', '/schools/:sourcedId/terms', 'academicSessions', inSchool(null)),
  nested('getCoursesForSchool', '/schools/:sourcedId/courses', 'courses', inSchool('org.sourcedId')),
  nested('getClassesForSchool', '/schools/:sourcedId/classes', 'classes', inSchool('school.sourcedId')),
  nested('getStudentsForSchool', '/schools/:sourcedId/students', 'users', inSchool('roles.org.sourcedId')),
  nested(
    'getEnrollmentsForSchool',
    '/schools/:sourcedId/enrollments',
    'enrollments',
    inSchool('school.sourcedId'),
  ),
  nested(
    'getStudentsForClassInSchool',
    '/schools/:schoolSourcedId/classes/:sourcedId/students',
    'users',
    inSchool('roles.org.sourcedId', 'schoolSourcedId'),
    inClass('class.sourcedId'),
  ),
  nested(
    'getEnrollmentsForClassInSchool',
    '/schools/:schoolSourcedId/classes/:sourcedId/enrollments',
    'enrollments',
    inSchool('school.sourcedId', 'schoolSourcedId'),
    inClass('class.sourcedId'),
  ),
  nested('getStudentsForClass', '/classes/:sourcedId/students', 'users', inClass('class.sourcedId')),
  nested('getClassesForTerm', '/terms/:sourcedId/classes', 'classes', {
    collection: 'academicSessions',
    parameter: 'sourcedId',
    field: 'terms.sourcedId',
  }),
  nested('getClassesForCourse', '/courses/:sourcedId/classes', 'classes', {
    collection: 'courses',
    parameter: 'sourcedId',
    field: 'course.sourcedId',
  }),
  nested('getClassesForStudent', '/students/:sourcedId/classes', 'classes', ofStudent),
  nested('getClassesForUser', '/users/:sourcedId/classes', 'classes', ofStudent),
  ...listed('Demographics', 'demographics', 'demographics', 'Demographics'),
  ...[
    ...listed('Teachers', 'teachers', 'users', 'Teacher'),
    nested('getTeachersForSchool', '/schools/:sourcedId/teachers', 'users', inSchool('roles.org.sourcedId')),
    nested('getTeachersForClass', '/classes/:sourcedId/teachers', 'users', inClass('class.sourcedId')),
    nested(
      'getTeachersForClassInSchool',
      '/schools/:schoolSourcedId/classes/:sourcedId/teachers',
      'users',
      inSchool('roles.org.sourcedId', 'schoolSourcedId'),
      inClass('class.sourcedId'),
    ),
  ].map(onlyIn(teacher)),
  ...[
    ...listed('GradingPeriods', 'gradingPeriods', 'academicSessions', 'GradingPeriod'),
    nested('getGradingPeriodsForTerm', '/terms/:sourcedId/gradingPeriods', 'academicSessions', {
      collection: 'academicSessions',
      parameter: 'sourcedId',
      field: null,
    }),
  ].map(onlyIn(gradingPeriod)),
];
