import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { type DemoTokens, ensureTokens, readTokens, schoolOfTokens } from './demo-credentials.ts';
import { loadSchool } from './load-school.ts';
import { schoolName } from './school-plan.ts';

const recordsOfTerm = 150_000;

export interface Demo {
  readonly schoolName: string;
  readonly students: number;
  readonly records: number;
  /** Null when the data existed already. */
  readonly loadedInSeconds: number | null;
  readonly tokens: DemoTokens;
  /** Null when all students are gone. */
  readonly student: { readonly username: string; readonly actualName: string } | null;
}

/** The database holds other data, which the demonstration must not join. */
export class NotADemoError extends Error {}

/** Loads the demonstration or finds it. @param records approximate number @throws NotADemoError for other schools */
export async function ensureDemo(
  db: Database,
  config: Config,
  now: Date,
  records = recordsOfTerm,
): Promise<Demo> {
  const stored = await readTokens(config.dataDir);
  let schoolId = (await schoolOfTokens(db, stored)) ?? (await findByName(db));
  let loadedInSeconds: number | null = null;
  if (schoolId === null) {
    if (await db.selectFrom('school').select('id').limit(1).executeTakeFirst()) {
      throw new NotADemoError(
        'The database holds schools already: let DATA_DIR name another folder for the demo',
      );
    }
    const startedAt = performance.now();
    ({ id: schoolId } = await loadSchool(db, now, records));
    // Otherwise PostgreSQL plans the first queries for empty tables.
    for (const table of [
      'score_record',
      'student',
      'class',
      'class_day',
      'template',
      'term',
      'term_standing',
      'seat',
    ] as const) {
      await sql`ANALYZE ${sql.table(table)}`.execute(db);
    }
    loadedInSeconds = (performance.now() - startedAt) / 1000;
  }
  const settings = { tokenPrefix: config.tokenPrefix, maxExpireDays: config.tokenMaxExpireDays };
  const tokens = await ensureTokens(db, schoolId, stored, config.dataDir, settings, now);
  return { ...(await describe(db, schoolId)), loadedInSeconds, tokens };
}

async function findByName(db: Database): Promise<number | null> {
  const found = await db
    .selectFrom('school')
    .where('name', '=', schoolName)
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}

async function describe(db: Database, schoolId: number) {
  const school = await db
    .selectFrom('school')
    .leftJoin('class', 'class.school_id', 'school.id')
    .where('school.id', '=', schoolId)
    .groupBy(['school.id', 'school.name'])
    .select([
      'school.name',
      sql<number>`coalesce(sum(student_count), 0)::bigint`.as('students'),
      sql<number>`coalesce(sum(record_count), 0)::bigint`.as('records'),
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
  return {
    schoolName: school.name,
    students: school.students,
    records: school.records,
    student: student ?? null,
  };
}
