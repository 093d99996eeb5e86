import type pg from 'pg';
import { waitAtMost } from '../concurrency/until-aborted.ts';
import { BackgroundFlush } from '../database/background-flush.ts';
import { BatchWriter, type NumberedBatch, unnumberedBatch } from '../database/batch-writer.ts';
import { query } from '../database/connect.ts';
import type { Clock } from '../time/clock.ts';
import { type AuditEntry, columnsOf, type EncodedEntry, encodeEntry, insertEntries } from './audit-entry.ts';
import { UnknownCallers } from './unknown-callers.ts';

interface Batch extends NumberedBatch {
  readonly entries: readonly EncodedEntry[];
}

const batchMax = 2_000;
/** At this many entries a write starts at once. Larger writes would delay callers in PostgreSQL. */
const flushThreshold = 250;
/** Limits of waiting entries. Beyond them, the oldest are dropped, but unknown callers never displace known ones. */
const waitingMax = { known: 20_000, unknown: 10_000 };
export const flushTimeoutMs = 3_000;
const minuteMs = 60_000;

/** Writes the audit log in batches. A killed process loses the calls of 250 ms and the current minute's sums. */
export class AuditLog {
  readonly #writer: BatchWriter;
  readonly #clock: Clock;
  readonly #report: (error: unknown, lost: number) => void;
  readonly #flusher = new BackgroundFlush(() => this.#writeAll());
  readonly #batches: Batch[] = [];
  readonly #waiting: Record<keyof typeof waitingMax, EncodedEntry[]> = { known: [], unknown: [] };
  readonly #unknownCallers = new UnknownCallers();
  #endOfMinute: NodeJS.Timeout | null = null;
  #closing = false;
  #closed = false;
  #lost = 0;

  constructor(pool: pg.Pool, clock: Clock, report: (error: unknown, lost: number) => void) {
    this.#writer = new BatchWriter(pool);
    this.#clock = clock;
    this.#report = (error, lost) => {
      this.#lost += lost;
      report(error, lost);
    };
  }

  record(entry: AuditEntry): void {
    if (this.#closed) {
      this.#report(new Error('The audit log is closed'), 1);
      return;
    }
    const isKnown = entry.tokenId !== null;
    if (isKnown || this.#unknownCallers.mayRecordSingly(entry)) {
      this.#enqueue(isKnown ? 'known' : 'unknown', entry);
      if (this.#waitingUnbatched >= flushThreshold) this.#flusher.flushNow();
      else this.#flusher.flushSoon();
    } else {
      this.#scheduleEndOfMinute();
    }
  }

  /** Flushes the entries recorded before the call, for `flushTimeoutMs` at most. */
  flush(): Promise<void> {
    return waitAtMost(flushTimeoutMs, this.#flusher.flush());
  }

  async close(giveUp?: AbortSignal): Promise<void> {
    this.#closing = true;
    if (this.#endOfMinute) clearTimeout(this.#endOfMinute);
    await this.#flusher.close(giveUp);
    this.#closed = true;
    const { waiting } = this;
    if (waiting > 0) this.#report(new Error('The audit log was closed before it was written'), waiting);
  }

  get waiting(): number {
    return this.#batches.reduce((count, { entries }) => count + entries.length, this.#waitingUnbatched);
  }

  get lost(): number {
    return this.#lost;
  }

  get #waitingUnbatched(): number {
    return this.#waiting.known.length + this.#waiting.unknown.length;
  }

  #enqueue(kind: keyof typeof waitingMax, entry: AuditEntry): void {
    const waiting = this.#waiting[kind];
    waiting.push(encodeEntry(entry));
    if (waiting.length > waitingMax[kind]) {
      this.#report(new Error('The audit log cannot keep up'), waiting.splice(0, batchMax).length);
    }
  }

  #scheduleEndOfMinute(): void {
    if (this.#closing) return;
    this.#endOfMinute ??= setTimeout(
      () => {
        this.#endOfMinute = null;
        this.#flusher.flushSoon();
      },
      minuteMs - (this.#clock().getTime() % minuteMs),
    ).unref();
  }

  #takeEntries(countMax: number): EncodedEntry[] {
    const known = this.#waiting.known.splice(0, countMax);
    return known.concat(this.#waiting.unknown.splice(0, countMax - known.length));
  }

  async #writeAll(): Promise<boolean> {
    const sums = this.#unknownCallers.takeSums(this.#closing ? null : this.#clock());
    for (const sum of sums) this.#enqueue('unknown', sum);
    if (this.#unknownCallers.isSumming) this.#scheduleEndOfMinute();
    for (let remaining = this.#waitingUnbatched; ; ) {
      if (this.#batches.length === 0 && remaining > 0) {
        this.#batches.push({
          entries: this.#takeEntries(Math.min(batchMax, remaining)),
          ...unnumberedBatch(),
        });
        remaining -= batchMax;
      }
      const batch = this.#batches[0];
      if (!batch) return true;
      try {
        await this.#writer.commit(batch, (client) => query(client, insertEntries, columnsOf(batch.entries)));
        this.#batches.shift();
      } catch (error) {
        if (!isDataError(error)) {
          // Keeps the entries for a retry, because they may be valid.
          this.#report(error, 0);
          return false;
        }
        this.#batches.splice(0, 1, ...halves(batch));
        if (batch.entries.length === 1) this.#report(error, 1);
      }
    }
  }
}

/** SQLSTATE class 22 or 23: the entries themselves cannot be stored. */
function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}

/** Splits a refused batch in two. Drops a batch of one entry, which is the bad one. */
function halves({ entries }: Batch): Batch[] {
  if (entries.length === 1) return [];
  const middle = Math.ceil(entries.length / 2);
  return [entries.slice(0, middle), entries.slice(middle)].map((half) => ({
    entries: half,
    ...unnumberedBatch(),
  }));
}
