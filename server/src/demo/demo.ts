import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { DatabaseUnusableError } from '../database/database-unusable.ts';
import { sumOf } from '../database/expressions.ts';
import { type DemoTokens, findSchoolOf, issueTokens, readTokens } from './demo-credentials.ts';
import { loadSchool } from './load-school.ts';
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
