import type pg from 'pg';
import { BackgroundFlush } from '../database/background-flush.ts';
import { queryOn } from '../database/connect.ts';

interface CredentialUses {
  calls: number;
  lastAt: Date;
  lastIp: string;
}

/**
 * Locks in the order of ids, to avoid deadlocks with other processes that count uses of the same credentials. Keeps the
 * latest use, even if another process stores an older one later.
 */
const storeUses = `
  WITH locked AS MATERIALIZED (
    SELECT id FROM api_token WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE)
  UPDATE api_token k SET call_count = k.call_count + u.calls,
    last_used_ip = CASE WHEN k.last_used_at > u.at THEN k.last_used_ip ELSE u.ip END,
    last_used_at = greatest(k.last_used_at, u.at)
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[]) AS u (id, calls, at, ip)
    JOIN locked USING (id)
  WHERE k.id = u.id`;

/** Counts uses in memory and stores them soon after. Answers show stored counts (docs/contract.md, Credentials). */
export class UseCounts {
  readonly #pool: pg.Pool;
  readonly #report: (error: unknown, lost: number) => void;
  readonly #flusher = new BackgroundFlush(() => this.#store());
  #pending = new Map<number, CredentialUses>();
  /** The uses of the current write, or of a failed one that is repeated. */
  #batch: ReadonlyMap<number, Readonly<CredentialUses>> = new Map();
  #lost = 0;

  constructor(pool: pg.Pool, report: (error: unknown, lost: number) => void) {
    this.#pool = pool;
    this.#report = (error, lost) => {
      this.#lost += lost;
      report(error, lost);
    };
  }

  get waiting(): number {
    const uses = [...this.#batch.values(), ...this.#pending.values()];
    return uses.reduce((calls, use) => calls + use.calls, 0);
  }

  get lost(): number {
    return this.#lost;
  }

  add(credentialId: number, at: Date, ip: string): void {
    const uses = this.#pending.get(credentialId);
    if (!uses) {
      this.#pending.set(credentialId, { calls: 1, lastAt: at, lastIp: ip });
      this.#flusher.flushSoon();
      return;
    }
    uses.calls++;
    // Keeps the later time, because the machine's clock may have been set back.
    if (uses.lastAt > at) return;
    uses.lastAt = at;
    uses.lastIp = ip;
  }

  /** Flushes the buffer with a few retries and reports lost calls. `giveUp` ends a write that hangs. */
  async close(giveUp?: AbortSignal): Promise<void> {
    await this.#flusher.close(giveUp);
    const { waiting } = this;
    if (waiting > 0) this.#report(new Error('Uses of credentials were not stored'), waiting);
  }

  async #store(): Promise<boolean> {
    try {
      await this.#storeBatch();
      [this.#batch, this.#pending] = [this.#pending, new Map()];
      await this.#storeBatch();
      return true;
    } catch (error) {
      this.#report(error, 0);
      return false;
    }
  }

  async #storeBatch(): Promise<void> {
    if (this.#batch.size === 0) return;
    const uses = [...this.#batch.values()];
    await queryOn(this.#pool, storeUses, [
      [...this.#batch.keys()],
      uses.map(({ calls }) => calls),
      uses.map(({ lastAt }) => lastAt.toISOString()),
      uses.map(({ lastIp }) => lastIp),
    ]);
    this.#batch = new Map();
  }
}
