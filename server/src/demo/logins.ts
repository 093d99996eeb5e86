import type { Role } from '@classledger/contract';

/** Overridden by ADMIN_PASSWORD. */
export const superAdminPassword = 'demo-admin';

export const demoLogins: readonly {
  readonly role: Exclude<Role, 'super_admin'>;
  readonly username: string;
  readonly password: string;
}[] = [
  { role: 'school_admin', username: 'school.admin', password: 'demo-school' },
  { role: 'grade_admin', username: 'grade.admin', password: 'demo-grade' },
  { role: 'class_admin', username: 'class.admin', password: 'demo-class' },
];

export const studentPassword = 'demo-student';
