import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/connect.ts';
import type { Clock } from '../../time/clock.ts';

/** Without renewal, ownership ends after this time. */
const leaseMs = 60_000;
/** A process renews ownership when less than this is left. */
const renewBelowMs = 40_000;
/** Rows per claim; the next round or another process claims the rest. */
const claimedMax = 200;

/** Gives each webhook one owner process; ownership expires after a kill. Times are those of the database. */
export class WebhookLeases {
  readonly owner = randomUUID();
  readonly #db: Database;
  readonly #clock: Clock | null;

  /** @param clock replaces the database's clock in tests */
  constructor(db: Database, clock: Clock | null) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Claims free webhooks, renews its own, and returns those that this process owns. */
  async claimAndRenew(): Promise<{ id: number; schoolId: number }[]> {
    const at = sql`coalesce(${this.#clock?.().toISOString() ?? null}::timestamptz, clock_timestamp())`;
    const until = (ms: number) => sql<string>`${at} + ${ms} * interval '1 millisecond'`;
    // Webhooks of unusable credentials or schools need no work.
    const usable = sql`EXISTS (
      SELECT FROM api_token k JOIN school ON school.id = k.school_id
      WHERE k.id = webhook.token_id AND NOT k.disabled AND k.revoked_at IS NULL AND NOT school.disabled)`;
    // Writes rows only when there is something to claim or renew.
    await sql`
      UPDATE webhook SET owner = ${this.owner}, owned_until = ${until(leaseMs)} WHERE id IN (
        SELECT id FROM webhook
        WHERE active AND ${usable} AND (owner IS NULL OR owned_until < ${at} OR (owner = ${this.owner} AND owned_until < ${until(renewBelowMs)}))
        ORDER BY id LIMIT ${claimedMax} FOR UPDATE SKIP LOCKED)`.execute(this.#db);
    return this.#db
      .selectFrom('webhook')
      .where('owner', '=', this.owner)
      .where('active', '=', true)
      .where('owned_until', '>', at as never)
      .where(sql<boolean>`${usable}`)
      .select(['id', 'school_id as schoolId'])
      .orderBy('id')
      .execute();
  }

  /** Milliseconds after the start of `claimAndRenew` in which this process still owns the returned webhooks. */
  get safeMs(): number {
    return renewBelowMs;
  }

  async release(): Promise<void> {
    await this.#db
      .updateTable('webhook')
      .where('owner', '=', this.owner)
      .set({ owner: null, owned_until: null })
      .execute();
  }
}
