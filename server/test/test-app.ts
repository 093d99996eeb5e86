import type pg from 'pg';
import { expect, inject } from 'vitest';
import { type App, buildApp } from '../src/application/app.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { connectDatabase, type DatabaseConnection } from '../src/database/connect.ts';
import { ensureFirstAdmin } from '../src/features/administrators/operator-access.ts';
import { verifyLedger } from '../src/features/scores/verify-ledger.ts';
import type { Resolve } from '../src/features/webhooks/allowed-address.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import {
  AdminClient,
  anonymous,
  type CredentialClient,
  credentialClient,
  type IssueInput,
  signInStudent,
} from './identities.ts';
import { acquireDatabase, dropDatabases, type ReusableDatabase, releaseDatabase } from './own-database.ts';

export const superAdmin = { username: 'admin', password: 'correct horse battery' };

export const studentPassword = 'secret-password';

/** Without this secret, the application would create one in the source folder. */
const secretKey = 'the secret of every application under test';

/** Limits so high that only tests of the limits reach them. */
const highRateLimits = { RATE_LIMIT_TOTAL_PER_MINUTE: '1000000', RATE_LIMIT_WRITE_PER_MINUTE: '1000000' };

/** A running application on its own database, with a clock that moves only on demand. */
export type TestApp = ReturnType<typeof testApp>;

interface Parts {
  readonly app: App;
  readonly config: Config;
  readonly database: DatabaseConnection;
  readonly databaseName: string;
  readonly clock: TestClock;
  readonly databaseTarget: pg.PoolConfig;
}

function testApp(parts: Parts) {
  const { app, database } = parts;
  let stopped: Promise<void> | null = null;
  return {
    ...parts,
    anonymous: anonymous(app.http),
    signIn: (username = superAdmin.username, password = superAdmin.password): Promise<AdminClient> =>
      AdminClient.signIn(app.http, username, password),
    signInStudent: (schoolDb: string | number, username: string, password = studentPassword) =>
      signInStudent(app.http, { schoolDb, username, password }),
    with: ({ token, id }: CredentialClient) => credentialClient(app.http, token, id),
    /** Closes the application and its connections, once; `cleanUp` closes those left open. */
    stop: (): Promise<void> => {
      stopped ??= app.close().then(() => database.end());
      return stopped;
    },
    expectVerifiedLedger: async (): Promise<void> => {
      expect((await verifyLedger(database.db)).differences).toEqual([]);
    },
    /** Runs a statement in the database and returns its rows. */
    rows: async (statement: string, ...values: unknown[]) =>
      (await database.pool.query(statement, values)).rows,
    readAllRows: () => readAllRows(database.pool),
    listen: async (): Promise<string> => {
      if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' });
      return app.http.listeningOrigin;
    },
  };
}

/** Returns all rows of all tables as text, with bytes as characters. */
async function readAllRows(pool: pg.Pool): Promise<string> {
  const textOf = (value: unknown) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value);
  const tables = await pool.query(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const parts = tables.rows.map(async ({ name }) => {
    const { rows } = await pool.query(`SELECT * FROM ${name}`);
    return rows.flatMap((row) => Object.values(row).map(textOf)).join('\n');
  });
  return (await Promise.all(parts)).join('\n');
}

export class TestClock {
  #now = Date.parse('2026-09-15T10:00:00.000Z');
  #passed = 0;

  now = (): Date => new Date(this.#now);

  monotonic = (): number => this.#passed;

  /** The clock of the database, by which limits are counted. `set` does not change it. */
  ofDatabase = (): Date => new Date(Date.parse('2026-09-15T10:00:00.000Z') + this.#passed);

  /** Sets the clock without letting time pass. */
  set(instant: string): void {
    this.#now = Date.parse(instant);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#passed += milliseconds;
  }
}

const cleanups: (() => Promise<void>)[] = [];

/** Calls back at the end of the test file, before earlier resources are closed. */
export function atEndOfFile(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup);
}

/** Closes and drops everything that the test file started (after-each-file.ts). */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await dropDatabases();
}

/** Connects to a database; closes the connections at the end of the test file. */
export function openConnection(
  target: pg.PoolConfig,
  how?: Parameters<typeof connectDatabase>[1],
): DatabaseConnection {
  const connection = connectDatabase({ ...inject('postgres'), ...target }, how);
  cleanups.push(() => connection.end());
  return connection;
}

/** Returns a database of the current schema for one test file. */
export async function openDatabase(): Promise<ReusableDatabase> {
  const own = await acquireDatabase();
  cleanups.push(() => releaseDatabase(own));
  return own;
}

/**
 * Starts an application for one test file, on a clone of the migrated template.
 * @param env environment variables; rate limits are wide unless set
 * @param options.on an existing database
 * @param options.behind a proxy before its database; closed with it
 */
export async function startTestApp(
  env: Record<string, string> = {},
  options: {
    shareDatabaseWith?: TestApp;
    on?: pg.PoolConfig;
    clock?: TestClock;
    behind?: DatabaseProxy;
    connection?: Parameters<typeof connectDatabase>[1];
    requestsMax?: number;
    lockedRowWaitMs?: number;
    resolve?: Resolve;
  } = {},
): Promise<TestApp> {
  const { shareDatabaseWith: shared, on, behind, connection, ...passedOn } = options;
  const given = shared?.databaseName ?? on?.database;
  const reusable = given === undefined ? await openDatabase() : null;
  const databaseName = given ?? (reusable as ReusableDatabase).name;
  const databaseTarget = { ...inject('postgres'), ...behind?.address, database: databaseName };
  const database =
    reusable === null || behind || connection
      ? connectDatabase(databaseTarget, connection)
      : { ...reusable.database, end: async () => {} };
  const config = readConfig({ LOG_LEVEL: 'fatal', SECRET_KEY: secretKey, ...highRateLimits, ...env });
  const clock = options.clock ?? shared?.clock ?? new TestClock();
  await ensureFirstAdmin(database.db, superAdmin.username, superAdmin.password, clock.now());
  const app = await buildApp({
    config,
    database,
    databaseListenTarget: databaseTarget,
    ...passedOn,
    clock: clock.now,
    monotonic: clock.monotonic,
    databaseClock: clock.ofDatabase,
  });
  const test = testApp({ app, config, database, databaseName, clock, databaseTarget });
  cleanups.push(async () => {
    await test.stop();
    await behind?.close();
  });
  return test;
}

/** A school with two grades of two classes each, and three students in every class. */
export interface SampleSchool {
  readonly id: number;
  readonly schoolDb: string;
  readonly name: string;
  readonly grades: readonly [SampleGrade, SampleGrade];
  issue(input: IssueInput): Promise<CredentialClient>;
  /** Creates a class with students in a grade, by default three. */
  newClass(gradeId: number, students?: number): Promise<NewClass>;
}

export interface SampleGrade {
  readonly id: number;
  readonly classes: readonly [SampleClass, SampleClass];
}

export interface SampleClass {
  readonly id: number;
  readonly gradeId: number;
  readonly students: readonly [...ThreeStudents];
}

export interface NewClass extends Omit<SampleClass, 'students'> {
  readonly students: [SampleStudent, ...SampleStudent[]];
}

export interface SampleStudent {
  readonly id: number;
  readonly username: string;
}

type ThreeStudents = [SampleStudent, SampleStudent, SampleStudent];

/** Creates a sample school through the API alone. */
export async function createSampleSchool(
  admin: AdminClient,
  name = 'Riverside School',
): Promise<SampleSchool> {
  const { id, schoolDb } = await admin.created<{ id: number; schoolDb: string }>('/schools', { name });
  const issue = (input: IssueInput) => admin.issue(schoolDb, input);
  const office = await issue({ scopes: ['students:write', 'structure:write'], name: 'office' });
  const enrol = async (batch: readonly object[]) => {
    const body = { defaultPassword: studentPassword, batch };
    const { details } = await office.created<{ details: SampleStudent[] }>('/students', body);
    return details.map(({ id, username }): SampleStudent => ({ id, username }));
  };
  const newId = async (path: string, body: object) =>
    (await admin.created<{ id: number }>(path, { schoolDb, ...body })).id;

  const places: { readonly gradeId: number; readonly id: number; readonly prefix: string }[] = [];
  for (const grade of [1, 2]) {
    const gradeId = await newId('/grades', { name: `Grade ${grade}` });
    for (const letter of ['A', 'B']) {
      const classId = await newId('/classes', { gradeId, name: `Class ${letter}` });
      places.push({ gradeId, id: classId, prefix: `s${grade}${letter.toLowerCase()}` });
    }
  }
  const batch = places.flatMap(({ id: classId, prefix }) =>
    [1, 2, 3].map((n) => ({ classId, username: `${prefix}${n}` })),
  );
  const students = await enrol(batch);
  const classes = places.map(({ id, gradeId }, i): SampleClass => {
    return { id, gradeId, students: students.slice(3 * i, 3 * i + 3) as ThreeStudents };
  });
  const gradeOf = (first: SampleClass, second: SampleClass): SampleGrade => ({
    id: first.gradeId,
    classes: [first, second],
  });
  const [a, b, c, d] = classes as [SampleClass, SampleClass, SampleClass, SampleClass];
  let further = 0;
  const newClass = async (gradeId: number, count = 3): Promise<NewClass> => {
    const name = `Further ${++further}`;
    const { id: classId } = await office.created<{ id: number }>('/classes', { gradeId, name });
    const batch = Array.from({ length: count }, (_, i) => ({ classId, username: `${name}.${i + 1}` }));
    return { id: classId, gradeId, students: (await enrol(batch)) as NewClass['students'] };
  };
  return { id, schoolDb, name, grades: [gradeOf(a, b), gradeOf(c, d)], issue, newClass };
}

/** Opens an application with a sample school and the credentials of `issueOffices`. */
export async function openSchool(...how: Parameters<typeof startTestApp>) {
  const test = await startTestApp(...how);
  const admin = await test.signIn();
  const school = await createSampleSchool(admin);
  return { test, admin, school, ...(await issueOffices(school)) };
}

/** Issues credentials with all permissions for the school, its first grade and its first class. */
export async function issueOffices(school: SampleSchool) {
  const [grade] = school.grades;
  return {
    office: await school.issue({}),
    gradeHead: await school.issue({ scopeType: 'grade', scopeGradeId: grade.id }),
    teacher: await school.issue({ scopeType: 'class', scopeClassId: grade.classes[0].id }),
  };
}
