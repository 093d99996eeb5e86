import type pg from 'pg';
import { retentionTasks } from '../src/database/retention.ts';
import type { TestApp } from './test-app.ts';

/** Moves revoked records into a closed term, as a term switch stores them, and returns the id of the term. */
export async function putIntoClosedTerm(
  { database: { pool }, clock }: TestApp,
  place: { schoolId: number; classId: number },
  logIds: readonly number[],
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO term (school_id, class_id, class_name, name, action, started_at, closed_at, closed_by_id,
       closed_by_username, student_count, record_count)
     VALUES ($1, $2, 'Class', 'Closed term', 'archive', $3, $3, 1, 'admin', 3, $4) RETURNING id::int`,
    [place.schoolId, place.classId, clock.now(), logIds.length],
  );
  const id = rows[0]?.id as number;
  await pool.query(
    `UPDATE score_record SET revoked_at = NULL, revoked_by_token_id = NULL, revoked_by_admin_id = NULL, term_id = $1
     WHERE id = ANY($2)`,
    [id, logIds],
  );
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
