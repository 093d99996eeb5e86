import type { Role } from '@classledger/contract';

/** Password of the demonstration's super admin, unless ADMIN_PASSWORD says otherwise. */
export const superAdminPassword = 'demo-admin';

/** The administrators of the demonstration's school, each with a password that anyone may know. */
export const demoLogins: readonly {
  readonly role: Exclude<Role, 'super_admin'>;
  readonly username: string;
  readonly password: string;
}[] = [
  { role: 'school_admin', username: 'school.admin', password: 'demo-school' },
  { role: 'grade_admin', username: 'grade.admin', password: 'demo-grade' },
  { role: 'class_admin', username: 'class.admin', password: 'demo-class' },
];

/** Every student of the demonstration has this one. */
export const studentPassword = 'demo-student';
