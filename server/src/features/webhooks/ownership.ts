import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connect.ts';

/** For so long a webhook belongs to a process that says no more. */
const ownedMs = 60_000;
/** With less left, a process says it again. */
const renewedMs = 40_000;
/** Taken at once; the rest the next time, or by another process. */
const takenMax = 200;

/**
 * Which webhooks this process delivers: each belongs to one process at a time, for a minute that it keeps renewing. What a
 * killed process leaves is taken over once its minute is over. By the clock of the database, which all share.
 */
export class Ownership {
  readonly me = randomUUID();
  readonly #db: Database;
  readonly #clock: Clock | null;

  /** @param clock stands for that of the database; only tests have one */
  constructor(db: Database, clock: Clock | null) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Takes what belongs to nobody, and keeps what is its own. @returns all that belong to this process */
  async take(): Promise<{ id: number; schoolId: number }[]> {
    const at = sql`coalesce(${this.#clock?.().toISOString() ?? null}::timestamptz, clock_timestamp())`;
    const until = (ms: number) => sql<string>`${at} + ${ms} * interval '1 millisecond'`;
    // What may not be sent at all costs nobody anything.
    const usable = sql`EXISTS (
      SELECT FROM api_token k JOIN school ON school.id = k.school_id
      WHERE k.id = webhook.token_id AND NOT k.disabled AND k.revoked_at IS NULL AND NOT school.disabled)`;
    // Nothing is written as long as there is nothing to take.
    await sql`
      UPDATE webhook SET owner = ${this.me}, owned_until = ${until(ownedMs)} WHERE id IN (
        SELECT id FROM webhook
        WHERE active AND ${usable} AND (owner IS NULL OR owned_until < ${at} OR (owner = ${this.me} AND owned_until < ${until(renewedMs)}))
        ORDER BY id LIMIT ${takenMax} FOR UPDATE SKIP LOCKED)`.execute(this.#db);
    return this.#db
      .selectFrom('webhook')
      .where('owner', '=', this.me)
      .where('active', '=', true)
      .where('owned_until', '>', at as never)
      .where(sql<boolean>`${usable}`)
      .select(['id', 'school_id as schoolId'])
      .orderBy('id')
      .execute();
  }

  /** How long after `take` began nobody else can have taken what it returned. */
  get sureMs(): number {
    return renewedMs;
  }

  /** Leaves all to the others. */
  async release(): Promise<void> {
    await this.#db
      .updateTable('webhook')
      .where('owner', '=', this.me)
      .set({ owner: null, owned_until: null })
      .execute();
  }
}
