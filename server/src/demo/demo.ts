import { permissionNames, scopeTypes } from '@classledger/contract';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { DatabaseUnusableError } from '../database/database-unusable.ts';
import { sumOf } from '../database/expressions.ts';
import {
  type DemoTokens,
  demoCredentials,
  findSchoolOf,
  issueTokens,
  readTokens,
} from './demo-credentials.ts';
import { loadSchool } from './load-school.ts';
import { demoLogins, studentPassword } from './logins.ts';
import { schoolName } from './made-up-data.ts';

export interface Demo {
  readonly schoolName: string;
  readonly students: number;
  readonly records: number;
  /** Null when the data existed already. */
  readonly loadedInSeconds: number | null;
  readonly tokens: DemoTokens;
  /** Undefined when all students are gone. */
  readonly student: { readonly username: string; readonly actualName: string } | undefined;
}

/** Loads the demonstration or finds it. @param count about how many records @throws DatabaseUnusableError */
export async function ensureDemo(db: Database, config: Config, now: Date, count = 150_000): Promise<Demo> {
  const stored = await readTokens(config.dataDir);
  const known = await findSchoolOf(db, stored);
  let schoolId = known?.id ?? (await findByName(db));
  let loadedInSeconds: number | null = null;
  if (schoolId === undefined) {
    const startedAt = performance.now();
    schoolId = await loadIntoEmpty(db, now, count);
    loadedInSeconds = (performance.now() - startedAt) / 1000;
  }
  const tokens = known?.areUsable ? stored : await issueTokens(db, schoolId, config, now);
  return { ...(await describe(db, schoolId)), loadedInSeconds, tokens };
}

async function findByName(db: Database): Promise<number | undefined> {
  const schools = db.selectFrom('school').where('name', '=', schoolName);
  return (await schools.select('id').orderBy('id').limit(1).executeTakeFirst())?.id;
}

async function loadIntoEmpty(db: Database, now: Date, count: number): Promise<number> {
  if (await db.selectFrom('school').select('id').limit(1).executeTakeFirst()) {
    throw new DatabaseUnusableError(
      'The database holds schools already: let DATA_DIR name another folder for the demo',
    );
  }
  const schoolId = await loadSchool(db, now, count);
  // Without new statistics, PostgreSQL plans the first queries for empty tables.
  await sql`ANALYZE score_record, student, class, class_day, template, term, term_standing, seat`.execute(db);
  return schoolId;
}

async function describe(db: Database, schoolId: number) {
  const school = await db
    .selectFrom('school')
    .leftJoin('class', 'class.school_id', 'school.id')
    .where('school.id', '=', schoolId)
    .groupBy(['school.id', 'school.name'])
    .select([
      'school.name as schoolName',
      sumOf('student_count').as('students'),
      sumOf('record_count').as('records'),
    ])
    .executeTakeFirstOrThrow();
  const student = await db
    .selectFrom('student')
    .where('school_id', '=', schoolId)
    .where('disabled', '=', false)
    .select(['username', 'actual_name as actualName'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return { ...school, student };
}

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
