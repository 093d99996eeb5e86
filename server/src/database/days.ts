import { sql } from 'kysely';
import { housekeepingLocks } from './advisory-locks.ts';
import type { Database, Transaction } from './connect.ts';
import { inTransaction, isLockTimeout } from './transaction.ts';

export const dayMs = 86_400_000;

/**
 * Tables that are kept by days: each UTC day of `created_at` is a partition, made ahead and dropped whole. What comes
 * at a day that has none goes to the default partition, which is empty as long as housekeeping does its work.
 *
 * Days ahead let rows come for so long while no housekeeping succeeds. A claim of an idempotency key looks into every
 * day there is, so there are fewer of those.
 */
export const datedTables = {
  audit_record: 14,
  activity: 14,
  idempotency_key: 3,
  change: 14,
  webhook_delivery: 14,
} as const;

export type DatedTable = keyof typeof datedTables;

/** A partition. Null where it has no such end: all days until one, or the default partition, which has neither. */
export interface Part {
  readonly from: string | null;
  readonly to: string | null;
}

/** The UTC day of a moment, as `2026-11-22`. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/**
 * What is to be done about the days of a table.
 *
 * @param stray the oldest moment in the default partition
 * @param keptFrom nothing from before is needed
 * @returns the days to make, and the day before which all may go; null when there is nothing to go
 */
export function planDays(
  parts: readonly Part[],
  stray: Date | null,
  now: Date,
  ahead: number,
  keptFrom: Date,
): { readonly make: readonly string[]; readonly dropBefore: string | null } {
  const dated = parts.filter(({ to }) => to !== null);
  const isThere = (day: string) =>
    dated.some(
      ({ from, to }) => (from === null || from.slice(0, 10) <= day) && day < String(to).slice(0, 10),
    );
  const days = Array.from({ length: ahead + 1 }, (_, i) => dayOf(now.getTime() + i * dayMs));
  const before = dayOf(keptFrom.getTime());
  const isDue =
    (stray !== null && dayOf(stray.getTime()) < before) ||
    dated.some(({ to }) => String(to).slice(0, 10) <= before);
  return { make: days.filter((day) => !isThere(day)), dropBefore: isDue ? before : null };
}

/** What is shown of a log: what is not past its time, to the moment. */
export interface Shown {
  readonly from: string;
  readonly until: string;
}

/**
 * Both bounds lie within the days there are: so the database knows the days in their order, reads the newest first, and
 * stops at the end of a page. A clock that is more than a day ahead is not waited for.
 *
 * @param kept the log, in days
 */
export const shownDays = (now: Date, kept: number): Shown => ({
  from: new Date(now.getTime() - kept * dayMs).toISOString(),
  until: `${dayOf(now.getTime() + 2 * dayMs)}T00:00:00.000Z`,
});

/** The partitions of a table. Reads the catalogue alone. */
export async function partsOf(db: Database, table: DatedTable): Promise<Part[]> {
  const { rows } = await sql<Part>`
    SELECT substring(bound FROM 'FROM \\(''([^'']+)''')::timestamptz AS "from",
      substring(bound FROM 'TO \\(''([^'']+)''')::timestamptz AS "to"
    FROM (
      SELECT pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass(${table})
    ) AS parts`.execute(db);
  return rows;
}

/** The oldest moment that is in the default partition, which is empty as a rule. */
export async function strayOf(db: Database, table: DatedTable): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT min(created_at) AS at FROM ${sql.table(`${table}_default`)}`.execute(db);
  return rows[0]?.at ? new Date(rows[0].at) : null;
}

/**
 * Does a piece of housekeeping in a transaction, unless another process is at the same.
 *
 * @returns what the work returns; null where another process is at it, or something is locked for longer than it may
 * keep others waiting: it is done the next time
 */
export async function alone<T>(
  db: Database,
  lock: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | null> {
  try {
    return await inTransaction(db, async (tx) => {
      const { rows } = await sql<{
        free: boolean;
      }>`SELECT pg_try_advisory_xact_lock(${lock}) AS free`.execute(tx);
      return rows[0]?.free ? await work(tx) : null;
    });
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}

/**
 * Makes the days of a table that are to come, and drops those of which nothing is needed any more. Functions of the
 * schema's owner do it: the role of the server need not be able to create tables. Each day is a transaction of its
 * own, so that nobody waits for more than one.
 */
export async function keepDays(db: Database, table: DatedTable, now: Date, keptFrom: Date): Promise<void> {
  const parts = await partsOf(db, table);
  const { make, dropBefore } = planDays(parts, await strayOf(db, table), now, datedTables[table], keptFrom);
  const lock = housekeepingLocks[table];
  for (const day of make) {
    await alone(db, lock, (tx) => sql`SELECT make_day(${table}::text, ${day}::date)`.execute(tx));
  }
  if (dropBefore !== null) {
    await alone(db, lock, (tx) => sql`SELECT drop_days(${table}::text, ${dropBefore}::date)`.execute(tx));
  }
}
