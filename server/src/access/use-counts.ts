import type pg from 'pg';
import { BatchWriter, notBegun, type OnceWork } from '../database/commit-once.ts';
import { query } from '../database/connect.ts';
import { inTurnOf } from '../database/turns.ts';
import { WriteBehind } from '../database/write-behind.ts';

/** Authenticated calls with one credential, and the last of them. */
export interface Uses {
  readonly calls: number;
  readonly lastAt: Date;
  readonly lastIp: string;
}

/** What is not stored yet of a credential's use; null when everything is. */
export type PendingUses = (credentialId: number) => Uses | null;

interface Batch extends OnceWork {
  readonly uses: ReadonlyMap<number, Uses>;
}

const storeUses = `
  UPDATE api_token k SET call_count = k.call_count + u.calls, last_used_at = greatest(k.last_used_at, u.at),
    last_used_ip = u.ip
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[]) AS u (id, calls, at, ip)
  WHERE k.id = u.id`;

/**
 * Counts the uses of credentials in memory and stores them off the request's path. What is stored and what is
 * not are never read from both sides of a write: `reading` and storing keep out of each other's way.
 */
export class UseCounts {
  readonly #writer: BatchWriter;
  readonly #report: (error: unknown, lost: number) => void;
  readonly #behind = new WriteBehind(() => this.#store());
  readonly #readings = new Set<Promise<unknown>>();
  #fresh = new Map<number, Uses>();
  #batch: Batch | null = null;
  #storing: Promise<boolean> | null = null;

  /** @param report told of every failure, with the number of calls that stay uncounted */
  constructor(pool: pg.Pool, report: (error: unknown, lost: number) => void) {
    this.#writer = new BatchWriter(pool);
    this.#report = report;
  }

  add(credentialId: number, at: Date, ip: string): void {
    const use = { calls: 1, lastAt: at, lastIp: ip };
    this.#fresh.set(credentialId, sum(this.#fresh.get(credentialId), use) as Uses);
    this.#behind.soon();
  }

  /**
   * Reads credentials. Together with what `pending` tells once they are read, their stored use is exact as far
   * as this process is concerned.
   */
  async reading<T>(read: (pending: PendingUses) => Promise<T>): Promise<T> {
    while (this.#storing) await this.#storing;
    // After a commit whose end no one heard of, only asking tells what is stored.
    if (this.#batch?.doubtful) await this.#behind.flush();
    while (this.#storing) await this.#storing;
    // Storing waits for it: it must not wait in the line of one school.
    const reading = inTurnOf(0, '', () => read((id) => sum(this.#batch?.uses.get(id), this.#fresh.get(id))));
    this.#readings.add(reading);
    try {
      return await reading;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /**
   * Stores what is there, in a few attempts at most, and reports what could not be.
   *
   * @param giveUp ends the wait for a write that does not end
   */
  async close(giveUp?: AbortSignal): Promise<void> {
    await this.#behind.close(giveUp);
    const lost = [...(this.#batch?.uses.values() ?? []), ...this.#fresh.values()];
    if (lost.length === 0) return;
    this.#report(
      new Error('Uses of credentials were not stored'),
      lost.reduce((calls, use) => calls + use.calls, 0),
    );
  }

  #store(): Promise<boolean> {
    this.#storing = this.#storeAll().finally(() => {
      this.#storing = null;
    });
    return this.#storing;
  }

  async #storeAll(): Promise<boolean> {
    await Promise.allSettled(this.#readings);
    try {
      if (this.#batch) await this.#storeBatch(this.#batch);
      if (this.#fresh.size === 0) return true;
      this.#batch = { uses: this.#fresh, ...notBegun() };
      this.#fresh = new Map();
      await this.#storeBatch(this.#batch);
      return true;
    } catch (error) {
      this.#report(error, 0);
      return false;
    }
  }

  async #storeBatch(batch: Batch): Promise<void> {
    const used = [...batch.uses];
    await this.#writer.commit(batch, (client) =>
      query(client, storeUses, [
        used.map(([id]) => id),
        used.map(([, use]) => use.calls),
        used.map(([, use]) => use.lastAt.toISOString()),
        used.map(([, use]) => use.lastIp),
      ]),
    );
    this.#batch = null;
  }
}

/** Both together; the second is the later one. */
function sum(earlier: Uses | undefined, later: Uses | undefined): Uses | null {
  if (!earlier || !later) return later ?? earlier ?? null;
  return { ...later, calls: earlier.calls + later.calls };
}
