import type pg from 'pg';
import { retentionTasks } from '../src/database/retention.ts';
import type { TestApp } from './test-app.ts';

/** Moves revoked records into a closed term, as a term switch stores them, and returns the id of the term. */
export async function putIntoClosedTerm(
  { database: { db }, clock }: TestApp,
  place: { schoolId: number; classId: number },
  logIds: readonly number[],
): Promise<number> {
  const { id } = await db
    .insertInto('term')
    .values({
      school_id: place.schoolId,
      class_id: place.classId,
      class_name: 'Class',
      name: 'Closed term',
      action: 'archive',
      started_at: clock.now(),
      closed_at: clock.now(),
      closed_by_id: 1,
      closed_by_username: 'admin',
      student_count: 3,
      record_count: logIds.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('score_record')
    .set({ revoked_at: null, revoked_by_token_id: null, revoked_by_admin_id: null, term_id: id })
    .where('id', 'in', [...logIds])
    .execute();
  return id;
}

/** Makes an attempt once and repeats its counted events, as if `times` attempts had been made (on other accounts). */
export async function repeatCountedEvents<T>(
  pool: pg.Pool,
  times: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const { rows } = await pool.query<{ key: Buffer }>('SELECT counter || event AS key FROM counted_event');
  const outcome = await attempt();
  await pool.query(
    `INSERT INTO counted_event (counter, event, undecided, expires_at)
     SELECT counter, uuid_send(gen_random_uuid()), undecided, expires_at
     FROM counted_event, generate_series(2, $2) WHERE counter || event <> ALL($1::bytea[])`,
    [rows.map(({ key }) => key), times],
  );
  return outcome;
}

/** Does the housekeeping of these tables alone. A whole round also creates the days of all others, which takes seconds. */
export async function removeExpired(test: TestApp, ...tables: readonly string[]): Promise<void> {
  const { auditRetentionDays, idempotencyRetentionHours, applicationRetentionDays } = test.config;
  const rules = {
    auditDays: auditRetentionDays,
    idempotencyHours: idempotencyRetentionHours,
    applicationDays: applicationRetentionDays,
  };
  const tasks = retentionTasks(test.database.db, rules).filter(({ table }) => tables.includes(table));
  if (tasks.length !== tables.length) throw new Error(`Not every table has a task: ${tables.join()}`);
  const now = new Date(Math.min(test.clock.now().getTime(), test.clock.ofDatabase().getTime()));
  for (const { run } of tasks) await run(now, new AbortController().signal);
}
