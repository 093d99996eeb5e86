import { permissionNames, type Role, type ScopeType } from '@classledger/contract';
import type { Demo } from './demo.ts';
import { demoCredentials } from './demo-credentials.ts';
import { demoLogins, studentPassword } from './logins.ts';

const roleNames: Record<Role, string> = {
  super_admin: 'super admin',
  school_admin: 'school admin',
  grade_admin: 'grade admin, first grade',
  class_admin: 'class admin, first class',
};

const scopeNames: Record<ScopeType, string> = {
  school: 'whole school',
  grade: 'first grade',
  class: 'first class',
};

function permissionsText(scope: ScopeType): string {
  const { scopes } = demoCredentials[scope];
  const all = scopes.length === permissionNames.length;
  return `${scopeNames[scope]}: ${all ? 'all permissions' : scopes.join(', ')}`;
}

/** Returns the logins and tokens as lines. @param superAdmin password null when the operator chose it */
export function formatLogins(
  demo: Demo,
  address: string,
  superAdmin: { username: string; password: string | null },
): string[] {
  const count = (number: number) => number.toLocaleString('en');
  const loaded = demo.loadedInSeconds === null ? '' : `, loaded in ${demo.loadedInSeconds.toFixed(1)} s`;
  const logins = [
    {
      username: superAdmin.username,
      password: superAdmin.password ?? '(your ADMIN_PASSWORD)',
      who: roleNames.super_admin,
    },
    ...demoLogins.map(({ username, password, role }) => ({ username, password, who: roleNames[role] })),
    ...(demo.student
      ? [
          {
            username: demo.student.username,
            password: studentPassword,
            who: `student ${demo.student.actualName}; all students have this password`,
          },
        ]
      : []),
  ];
  const width = (texts: string[]) => Math.max(...texts.map((text) => text.length));
  const nameWidth = width(logins.map(({ username }) => username));
  const passwordWidth = width(logins.map(({ password }) => password));
  const rows: [string, string][] = [
    ['Documentation', `${address}/docs and ${address}/docs/guide`],
    ...logins.map(({ username, password, who }, i): [string, string] => [
      i === 0 ? 'Sign in as' : '',
      `${username.padEnd(nameWidth)}  ${password.padEnd(passwordWidth)}  ${who}`,
    ]),
    ...Object.entries(demo.tokens).map(([scope, token], i): [string, string] => [
      i === 0 ? 'Credentials' : '',
      `${token}  ${permissionsText(scope as ScopeType)}`,
    ]),
  ];
  const { school } = demo.tokens;
  if (school !== undefined) {
    const url = `${address}/api/v1/students?sortBy=totalScore&order=desc&limit=3`;
    rows.push(['Try', `curl -s -H "Authorization: Bearer ${school}" "${url}"`]);
  }
  return [
    '',
    `${demo.schoolName}: ${count(demo.students)} students, ${count(demo.records)} score records${loaded}`,
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(15)}${text}`),
    '',
  ];
}
