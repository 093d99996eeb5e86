import type { Role } from '../permissions.ts';

/** How far a role reaches: everything, the whole own school, or the administrator's part of it. Null: not at all. */
export type RoleRange = 'everything' | 'own school' | 'own grade' | 'own class' | null;

type Row = Readonly<Record<Role, RoleRange>>;

const row = (
  super_admin: RoleRange,
  school_admin: RoleRange,
  grade_admin: RoleRange,
  class_admin: RoleRange,
): Row => ({
  super_admin,
  school_admin,
  grade_admin,
  class_admin,
});

/** Permissions of roles (docs/contract.md, Roles). */
// biome-ignore format: a table is read by its columns.
export const roleTable = {
  //                         super         school        grade        class
  ownAccount:            row('everything', 'own school', 'own grade', 'own class'),
  readSchools:           row('everything', 'own school', 'own school', 'own school'),
  manageSchools:         row('everything', null,         null,        null),
  manageSchoolSettings:  row('everything', 'own school', null,        null),
  manageSignIn:          row('everything', null,         null,        null),
  manageAnnouncements:   row('everything', null,         null,        null),
  reviewApplications:    row('everything', null,         null,        null),
  readStructure:         row('everything', 'own school', 'own grade', 'own class'),
  manageGrades:          row('everything', 'own school', null,        null),
  manageClasses:         row('everything', 'own school', 'own grade', null),
  renameClasses:         row('everything', 'own school', 'own grade', 'own class'),
  manageStudents:        row('everything', 'own school', 'own grade', 'own class'),
  managePersonalData:    row('everything', 'own school', null,        null),
  manageScores:          row('everything', 'own school', 'own grade', 'own class'),
  manageTemplates:       row('everything', 'own school', 'own grade', 'own class'),
  manageSeats:           row('everything', 'own school', 'own grade', 'own class'),
  readStatistics:        row('everything', 'own school', 'own grade', 'own class'),
  switchTerms:           row('everything', 'own school', 'own grade', 'own class'),
  readAdministrators:    row('everything', 'own school', 'own grade', 'own class'),
  manageAdministrators:  row('everything', 'own school', 'own grade', null),
  readActivity:          row('everything', 'own school', 'own grade', 'own class'),
  manageSecurity:        row('everything', null,         null,        null),
  manageCredentials:     row('everything', 'own school', 'own grade', 'own class'),
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
