import { permissionNames, scopeTypes } from '@classledger/contract';
import type { Demo } from './demo.ts';
import { demoCredentials } from './demo-credentials.ts';
import { demoLogins, studentPassword } from './logins.ts';

/** Returns the logins and tokens as lines. @param superAdmin password null when the operator chose it */
export function formatLogins(
  { schoolName, students, records, loadedInSeconds, student, tokens }: Demo,
  address: string,
  superAdmin: { username: string; password: string | null },
): string[] {
  const loaded = loadedInSeconds === null ? '' : `, loaded in ${loadedInSeconds.toFixed(1)} s`;
  const logins = [
    [superAdmin.username, superAdmin.password ?? '(your ADMIN_PASSWORD)', 'super admin'],
    ...demoLogins.map(({ username, password, who }) => [username, password, who]),
  ];
  if (student) {
    const who = `student ${student.actualName}; all students have this password`;
    logins.push([student.username, studentPassword, who]);
  }
  const credentials = scopeTypes.flatMap((scopeType) => {
    const { range, scopes } = demoCredentials[scopeType];
    const permissions = scopes.length === permissionNames.length ? 'all permissions' : scopes.join(', ');
    return tokens[scopeType] ? [[tokens[scopeType], `${range}: ${permissions}`]] : [];
  });
  const url = `${address}/api/v1/students?sortBy=totalScore&order=desc&limit=3`;
  return [
    '',
    `${schoolName}: ${students.toLocaleString('en')} students, ${records.toLocaleString('en')} point records${loaded}`,
    '',
    ...section('Documentation', [[`${address}/docs and ${address}/docs/guide`]]),
    ...section('Sign in as', logins),
    ...section('Credentials', credentials),
    ...section(
      'Try',
      tokens.school ? [[`curl -s -H "Authorization: Bearer ${tokens.school}" "${url}"`]] : [],
    ),
    '',
  ];
}

/** Aligns the columns of the rows, and puts the label before the first. */
function section(label: string, rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row, i) => {
    const text = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    return `  ${(i === 0 ? label : '').padEnd(15)}${text.trimEnd()}`;
  });
}
