import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../time/clock.ts';
import type { Database } from './connect.ts';

/** Rows per claim; the next round or another process claims the rest. */
const claimedMax = 200;

export interface LeaseRules {
  readonly table: 'webhook' | 'import_job';
  readonly needsWork: RawBuilder<boolean>;
  /** Without renewal, ownership ends after this time. */
  readonly leaseMs: number;
}

/** Gives each row of work one owner process; ownership expires after a kill. Times are those of the database. */
export class Leases {
  readonly owner = randomUUID();
  /** Milliseconds after the start of `claimAndRenew` in which this process still owns the returned rows. */
  readonly safeMs: number;
  readonly #db: Database;
  readonly #clock: Clock | null;
  readonly #rules: LeaseRules;

  /** @param clock replaces the database's clock in tests */
  constructor(db: Database, clock: Clock | null, rules: LeaseRules) {
    this.#db = db;
    this.#clock = clock;
    this.#rules = rules;
    // A process renews ownership when less than this is left.
    this.safeMs = (rules.leaseMs * 2) / 3;
  }

  /** Claims free rows, renews its own, and returns those that this process owns. */
  async claimAndRenew(): Promise<{ id: number; schoolId: number }[]> {
    const { table, needsWork, leaseMs } = this.#rules;
    const at = sql`coalesce(${this.#clock?.().toISOString() ?? null}::timestamptz, clock_timestamp())`;
    const until = (ms: number) => sql<string>`${at} + ${ms} * interval '1 millisecond'`;
    // Writes rows only when there is something to claim or renew.
    await sql`
      UPDATE ${sql.table(table)} SET owner = ${this.owner}, owned_until = ${until(leaseMs)} WHERE id IN (
        SELECT id FROM ${sql.table(table)}
        WHERE ${needsWork} AND (owner IS NULL OR owned_until < ${at} OR (owner = ${this.owner} AND owned_until < ${until(this.safeMs)}))
        ORDER BY id LIMIT ${claimedMax} FOR UPDATE SKIP LOCKED)`.execute(this.#db);
    return this.#db
      .selectFrom(table)
      .where('owner', '=', this.owner)
      .where('owned_until', '>', at as never)
      .where(needsWork)
      .select(['id', 'school_id as schoolId'])
      .orderBy('id')
      .execute();
  }

  async release(): Promise<void> {
    await this.#db
      .updateTable(this.#rules.table)
      .where('owner', '=', this.owner)
      .set({ owner: null, owned_until: null })
      .execute();
  }
}
