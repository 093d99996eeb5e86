import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Permission, permissionNames, type ScopeType, scopeTypes } from '@classledger/contract';
import { prepareDataFolder } from '@classledger/embedded-postgres';
import { sql } from 'kysely';
import { SchoolData } from '../access/school-data.ts';
import { hashToken } from '../access/token.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { DatabaseUnusableError } from '../database/database-unusable.ts';
import { sumOf } from '../database/expressions.ts';
import { issueCredential } from '../features/credentials/credentials.ts';
import { loadSchool } from './load-school.ts';
import { demoLogins, studentPassword } from './logins.ts';
import { schoolName } from './made-up-data.ts';

/** Plaintext tokens; only that of the school if all classes are gone. */
type DemoTokens = { [Scope in ScopeType]?: string };

const fileName = 'demo-credentials.json';
const everydayScopes = permissionNames.filter((name) => /:read$|^scores:/.test(name));

const demoCredentials: Record<ScopeType, { name: string; range: string; scopes: readonly Permission[] }> = {
  school: { name: 'Demo: school office', range: 'whole school', scopes: permissionNames },
  grade: { name: 'Demo: grade board', range: 'first grade', scopes: everydayScopes },
  class: { name: 'Demo: seating script', range: 'first class', scopes: everydayScopes },
};

/** Reads the tokens of an earlier start; returns none if the file is missing or incomplete. */
async function readTokens(dataDir: string): Promise<DemoTokens> {
  try {
    return JSON.parse(await readFile(join(dataDir, fileName), 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/** Finds the school of the tokens. `areUsable` is true if the database has all of them and none is revoked. */
async function findSchoolOf(
  db: Database,
  tokens: DemoTokens,
): Promise<{ id: number; areUsable: boolean } | undefined> {
  const hashes = Object.values(tokens).map(hashToken);
  if (hashes.length === 0) return undefined;
  const found = await db
    .selectFrom('api_token')
    .innerJoin('school', 'school.id', 'api_token.school_id')
    .where('token_hash', 'in', hashes)
    .select(['school.id', 'revoked_at'])
    .execute();
  const usable = found.filter(({ revoked_at }) => revoked_at === null);
  return found[0] && { id: found[0].id, areUsable: usable.length === hashes.length };
}

/** Issues a credential for each scope type, and stores the tokens in a private file. */
async function issueTokens(
  db: Database,
  schoolId: number,
  { dataDir, tokenPrefix, tokenMaxExpireDays: maxExpireDays }: Config,
  now: Date,
): Promise<DemoTokens> {
  const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
  const [firstClass] = await data
    .classesUnjoined()
    .select(['c.id', 'c.grade_id as gradeId'])
    .orderBy('c.id')
    .limit(1)
    .execute();
  const issuer = await db
    .selectFrom('admin')
    .where('role', '=', 'super_admin')
    .where('disabled', '=', false)
    .select([
      'id',
      'username',
      'name',
      'role',
      'school_id as schoolId',
      'grade_id as gradeId',
      'class_id as classId',
    ])
    .select('password_is_initial as mustChangePassword')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const call = { admin: issuer, data, at: now };
  const settings = { tokenPrefix, maxExpireDays };
  const tokens: DemoTokens = {};
  for (const scopeType of firstClass ? scopeTypes : (['school'] as const)) {
    const { name, scopes } = demoCredentials[scopeType];
    const scopeGradeId = scopeType === 'grade' && firstClass ? firstClass.gradeId : null;
    const scopeClassId = scopeType === 'class' && firstClass ? firstClass.id : null;
    const credential = { name, scopes: [...scopes], scopeType, scopeGradeId, scopeClassId };
    tokens[scopeType] = (await issueCredential({ db, settings }, call, credential)).token;
  }
  const file = join(await prepareDataFolder(dataDir), fileName);
  await writeFile(file, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
  return tokens;
}

interface Demo {
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
