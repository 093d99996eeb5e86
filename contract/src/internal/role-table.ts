import type { Role } from '../permissions.ts';

/** How far a role reaches: everything, the own school, the part of it that the role manages, or not at all (null). */
export type RoleRange = 'everything' | 'own school' | 'own grade' | 'own class' | 'taught classes' | null;

/** A teaching duty also reaches the classes that the administrator teaches. */
type Kind = 'managing' | 'teaching';

interface Row extends Readonly<Record<Role, RoleRange>> {
  readonly kind: Kind;
}

const row = (
  kind: Kind,
  super_admin: RoleRange,
  school_admin: RoleRange,
  grade_admin: RoleRange,
  class_admin: RoleRange,
  teacher: RoleRange,
): Row => ({
  kind,
  super_admin,
  school_admin,
  grade_admin,
  class_admin,
  teacher,
});

/** Permissions of roles (docs/contract.md, Roles). */
// biome-ignore format: a table is read by its columns.
export const roleTable = {
  //                                     super         school        grade        class        teacher
  ownAccount:            row('managing', 'everything', 'own school', 'own grade', 'own class', 'own school'),
  readSchools:           row('managing', 'everything', 'own school', 'own school', 'own school', 'own school'),
  manageSchools:         row('managing', 'everything', null,         null,        null,        null),
  manageSchoolSettings:  row('managing', 'everything', 'own school', null,        null,        null),
  manageSignIn:          row('managing', 'everything', null,         null,        null,        null),
  manageAnnouncements:   row('managing', 'everything', null,         null,        null,        null),
  reviewApplications:    row('managing', 'everything', null,         null,        null,        null),
  readStructure:         row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  manageGrades:          row('managing', 'everything', 'own school', null,        null,        null),
  manageClasses:         row('managing', 'everything', 'own school', 'own grade', null,        null),
  renameClasses:         row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  readStudents:          row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  manageStudents:        row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  managePersonalData:    row('managing', 'everything', 'own school', null,        null,        null),
  teachClasses:          row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  readTemplates:         row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  manageTemplates:       row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  readSeats:             row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  manageSeats:           row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  readStatistics:        row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  readTerms:             row('teaching', 'everything', 'own school', 'own grade', 'own class', 'taught classes'),
  switchTerms:           row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  readAdministrators:    row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  manageAdministrators:  row('managing', 'everything', 'own school', 'own grade', null,        null),
  readActivity:          row('managing', 'everything', 'own school', 'own grade', 'own class', null),
  manageSecurity:        row('managing', 'everything', null,         null,        null,        null),
  manageCredentials:     row('managing', 'everything', 'own school', 'own grade', 'own class', null),
} as const satisfies Record<string, Row>;

export type Duty = keyof typeof roleTable;

/**
 * Returns whether a role has a duty at all; the administrator's range limits it further. A role that only a newer
 * release knows has none.
 */
export function mayDo(role: Role, duty: Duty): boolean {
  const ranges: Partial<Row> = roleTable[duty];
  return (ranges[role] ?? null) !== null;
}

/** Returns whether a duty also reaches the classes that an administrator teaches. */
export const isTeaching = (duty: Duty): boolean => roleTable[duty].kind === 'teaching';
