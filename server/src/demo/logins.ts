import type { Role } from '@classledger/contract';

/** Overridden by ADMIN_PASSWORD. */
export const superAdminPassword = 'demo-admin';

export const demoLogins: readonly {
  readonly role: Exclude<Role, 'super_admin'>;
  readonly username: string;
  readonly password: string;
  readonly who: string;
}[] = [
  { role: 'school_admin', username: 'school.admin', password: 'demo-school', who: 'school admin' },
  { role: 'grade_admin', username: 'grade.admin', password: 'demo-grade', who: 'head of grade, first grade' },
  { role: 'class_admin', username: 'class.admin', password: 'demo-class', who: 'class teacher, first class' },
];

export const studentPassword = 'demo-student';
