import type pg from 'pg';
import { query } from '../database/connect.ts';

/** One call of the external API; `schoolId` and the token are null when no known credential was named. */
export interface AuditEntry {
  readonly requestId: string;
  readonly tokenId: number | null;
  readonly tokenPrefix: string | null;
  readonly schoolId: number | null;
  readonly method: string;
  readonly path: string;
  readonly statusCode: number;
  readonly latencyMs: number;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly errorMessage: string | null;
  readonly at: Date;
  /** Whether the call passed authentication and so counts as a use of the credential. */
  readonly counted: boolean;
}

/** Well inside the 250 ms that a killed process may lose, writing included. */
const flushAfterMs = 100;
const batchMax = 2_000;
/** While the table cannot be written, this many wait; older ones are given up and reported. */
const waitingMax = 20_000;

const insertEntries = `
  INSERT INTO audit_record (school_id, created_at, request_id, token_id, token_prefix, method, path, status_code,
    latency_ms, ip, user_agent, error_message)
  SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::uuid[], $4::bigint[], $5::text[], $6::text[],
    $7::text[], $8::int[], $9::real[], $10::text[], $11::text[], $12::text[])`;

const countUses = `
  UPDATE api_token k SET call_count = k.call_count + u.calls, last_used_at = greatest(k.last_used_at, u.at),
    last_used_ip = u.ip
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[]) AS u (id, calls, at, ip)
  WHERE k.id = u.id`;

/**
 * Writes the audit log off the request's path, in batches, together with the use counters of the credentials.
 * Trouble with the table is reported and never reaches a caller.
 */
export class AuditLog {
  readonly #pool: pg.Pool;
  readonly #report: (error: unknown, lost: number) => void;
  #waiting: AuditEntry[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(pool: pg.Pool, report: (error: unknown, lost: number) => void) {
    this.#pool = pool;
    this.#report = report;
  }

  record(entry: AuditEntry): void {
    this.#waiting.push(entry);
    if (this.#waiting.length > waitingMax) {
      this.#report(new Error('The audit log cannot keep up'), this.#waiting.splice(0, batchMax).length);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, flushAfterMs);
  }

  /** Writes everything recorded before the call; resolves when it is stored or was reported as lost. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#waiting.length === 0) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = null;
    });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    let remaining = this.#waiting.length;
    while (remaining > 0) {
      const batch = this.#waiting.splice(0, Math.min(batchMax, remaining));
      try {
        await writeBatch(this.#pool, batch);
      } catch (error) {
        const refused = typeof (error as { code?: unknown }).code === 'string' && isDataError(error);
        this.#report(error, refused ? batch.length : 0);
        if (!refused) {
          // The database is away: keep them and try again later.
          this.#waiting.unshift(...batch);
          this.#timer ??= setTimeout(() => {
            this.#timer = null;
            void this.flush();
          }, flushAfterMs * 10);
          return;
        }
      }
      remaining -= batch.length;
    }
  }
}

/** SQLSTATE class 22 or 23: the entries themselves cannot be stored, now or later. */
function isDataError(error: unknown): boolean {
  return /^2[23]/.test((error as { code: string }).code);
}

async function writeBatch(pool: pg.Pool, batch: readonly AuditEntry[]): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const uses = new Map<number, { calls: number; at: Date; ip: string }>();
    for (const entry of batch) {
      if (!entry.counted || entry.tokenId === null) continue;
      const use = uses.get(entry.tokenId);
      if (use) Object.assign(use, { calls: use.calls + 1, at: entry.at, ip: entry.ip });
      else uses.set(entry.tokenId, { calls: 1, at: entry.at, ip: entry.ip });
    }
    const used = [...uses];
    const column = <T>(pick: (entry: AuditEntry) => T) => batch.map(pick);
    const statements = [
      client.query('BEGIN'),
      query(client, insertEntries, [
        column((entry) => entry.schoolId ?? 0),
        column((entry) => entry.at.toISOString()),
        column((entry) => entry.requestId),
        column((entry) => entry.tokenId),
        column((entry) => entry.tokenPrefix),
        column((entry) => entry.method),
        column((entry) => entry.path),
        column((entry) => entry.statusCode),
        column((entry) => entry.latencyMs),
        column((entry) => entry.ip),
        column((entry) => entry.userAgent),
        column((entry) => entry.errorMessage),
      ]),
      query(client, countUses, [
        used.map(([id]) => id),
        used.map(([, use]) => use.calls),
        used.map(([, use]) => use.at.toISOString()),
        used.map(([, use]) => use.ip),
      ]),
      client.query('COMMIT'),
    ];
    const failure = (await Promise.allSettled(statements)).find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
