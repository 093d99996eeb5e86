import { sql } from 'kysely';
import { housekeepingLocks } from './advisory-locks.ts';
import type { Database, Transaction } from './connect.ts';
import { inTransaction, isLockTimeout } from './transaction.ts';

export const dayMs = 86_400_000;

/** Days created ahead, in case housekeeping fails; fewer for `idempotency_key`, as a claim searches each partition. */
export const partitionedTables = {
  audit_record: 14,
  activity: 14,
  idempotency_key: 3,
  change: 14,
  webhook_delivery: 14,
} as const;

export type PartitionedTable = keyof typeof partitionedTables;

/** Returns the UTC day of a time in milliseconds, as `2026-11-22`. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Plans the days to create and to drop. @param existing the days that have a partition @param oldestInDefault a day */
export function planPartitions(
  existing: readonly string[],
  oldestInDefault: string | null,
  now: Date,
  daysAhead: number,
  keptFrom: Date,
): { readonly create: readonly string[]; readonly dropBefore: string | null } {
  const needed = Array.from({ length: daysAhead + 1 }, (_, i) => dayOf(now.getTime() + i * dayMs));
  const before = dayOf(keptFrom.getTime());
  const isDue = [...existing, oldestInDefault ?? before].some((day) => day < before);
  return { create: needed.filter((day) => !existing.includes(day)), dropBefore: isDue ? before : null };
}

export interface VisibleRange {
  readonly from: string;
  readonly until: string;
}

/** Returns two bounds, so that PostgreSQL reads partitions newest first. Rows more than a day ahead may be hidden. */
export const visibleRange = (now: Date, keptDays: number): VisibleRange => ({
  from: new Date(now.getTime() - keptDays * dayMs).toISOString(),
  until: `${dayOf(now.getTime() + 2 * dayMs)}T00:00:00.000Z`,
});

/** Returns the days that have a partition. */
export async function listPartitions(db: Database, table: PartitionedTable): Promise<string[]> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([^'']+)''')::timestamptz::date AS day
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass(${table})`.execute(
    db,
  );
  return rows.flatMap(({ day }) => day ?? []);
}

export async function oldestInDefaultPartition(
  db: Database,
  table: PartitionedTable,
): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT min(created_at)::date AS day FROM ${sql.table(`${table}_default`)}`.execute(db);
  return rows[0]?.day ?? null;
}

/** Runs housekeeping in a transaction. Returns null if a lock is busy, because the next run can do the work. */
export async function runExclusively<T>(
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

/** Creates and drops daily partitions by functions that have the rights of the schema's owner. */
export async function maintainPartitions(
  db: Database,
  table: PartitionedTable,
  now: Date,
  keptFrom: Date,
): Promise<void> {
  const { create, dropBefore } = planPartitions(
    await listPartitions(db, table),
    await oldestInDefaultPartition(db, table),
    now,
    partitionedTables[table],
    keptFrom,
  );
  const lock = housekeepingLocks[table];
  for (const day of create) {
    await runExclusively(db, lock, (tx) => sql`SELECT make_day(${table}::text, ${day}::date)`.execute(tx));
  }
  if (dropBefore !== null) {
    await runExclusively(db, lock, (tx) =>
      sql`SELECT drop_days(${table}::text, ${dropBefore}::date)`.execute(tx),
    );
  }
}
