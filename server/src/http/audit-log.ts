import type pg from 'pg';
import { addressGroup } from '../access/address-group.ts';
import { waitAtMost } from '../concurrency/until-aborted.ts';
import { BackgroundFlush } from '../database/background-flush.ts';
import { queryOn } from '../database/connect.ts';
import type { Clock } from '../time/clock.ts';

/** A call of the external API. Token and school are null without a known credential. */
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
}

type EncodedEntry = readonly (string | number)[];

const insertEntries = `
  INSERT INTO audit_record (school_id, created_at, request_id, token_id, token_prefix, method, path, status_code,
    latency_ms, ip, user_agent, error_message)
  SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::uuid[], $4::bigint[], $5::text[], $6::text[],
    $7::text[], $8::int[], $9::real[], $10::text[], $11::text[], $12::text[])`;

/** Encodes an entry when it is recorded, because encoding hundreds at once would delay other answers. */
function encodeEntry(entry: AuditEntry): EncodedEntry {
  return [
    entry.schoolId ?? 0,
    entry.at.toISOString(),
    entry.requestId,
    entry.tokenId ?? 'NULL',
    arrayElement(entry.tokenPrefix),
    arrayElement(entry.method),
    arrayElement(entry.path),
    entry.statusCode,
    entry.latencyMs,
    arrayElement(entry.ip),
    arrayElement(entry.userAgent),
    arrayElement(entry.errorMessage),
  ];
}

function columnsOf(entries: readonly EncodedEntry[]): string[] {
  const [first] = entries as readonly [EncodedEntry];
  return first.map((_, column) => `{${entries.map((entry) => entry[column]).join()}}`);
}

const special = /["\\]/;

function arrayElement(value: string | null): string {
  if (value === null) return 'NULL';
  return special.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

const singlesMax = 60;
/** Limit for all addresses together, so that a distributed flood does not fill the disk. */
const singlesInAllMax = 6_000;
/** Addresses with their own sum in a minute; later ones share a sum. */
const addressesMax = 1_000;

interface Sum {
  calls: number;
  last: AuditEntry | null;
}

interface Address extends Sum {
  singles: number;
}

/** Chooses calls without a known credential to record singly, and sums up the others (docs/contract.md, Logs). */
class UnknownCallers {
  #minute = 0;
  #singlesInAll = 0;
  #summed = 0;
  readonly #addresses = new Map<string, Address>();
  readonly #others: Sum = { calls: 0, last: null };
  #sums: AuditEntry[] = [];

  get isSumming(): boolean {
    return this.#summed > 0;
  }

  /** Returns whether to record a call by itself; otherwise adds it to a sum. */
  mayRecordSingly(entry: AuditEntry): boolean {
    this.#startMinute(minuteOf(entry.at));
    const group = addressGroup(entry.ip);
    let address = this.#addresses.get(group);
    if (!address && this.#addresses.size < addressesMax) {
      address = { singles: 0, calls: 0, last: null };
      this.#addresses.set(group, address);
    }
    if (address && address.singles < singlesMax && this.#singlesInAll < singlesInAllMax) {
      address.singles++;
      this.#singlesInAll++;
      return true;
    }
    const sum = address ?? this.#others;
    sum.calls++;
    sum.last = entry;
    this.#summed++;
    return false;
  }

  /** Takes out the sums of past minutes; with null for `now`, of the current one too. */
  takeSums(now: Date | null): AuditEntry[] {
    this.#startMinute(now && minuteOf(now));
    return this.#sums.splice(0);
  }

  /** Begins another minute, which may be an earlier one when a clock was set back. */
  #startMinute(minute: number | null): void {
    if (minute === this.#minute) return;
    for (const [group, sum] of this.#addresses) this.#addSum(sum, group);
    this.#addSum(this.#others, 'other addresses');
    this.#addresses.clear();
    Object.assign(this.#others, { calls: 0, last: null });
    this.#singlesInAll = 0;
    this.#summed = 0;
    this.#minute = minute ?? 0;
  }

  /** Records a sum as the last of its calls. */
  #addSum({ calls, last }: Sum, from: string): void {
    if (!last) return;
    const counted = `${calls} ${calls === 1 ? 'call' : 'calls'} from ${from}`;
    const errorMessage = `Not recorded singly: ${counted} in this minute; the last: ${last.errorMessage}`;
    this.#sums.push({ ...last, errorMessage });
  }
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);

const batchMax = 2_000;
/** At this many entries a write starts at once. Larger writes would delay callers in PostgreSQL. */
const flushThreshold = 250;
/** Limits of waiting entries. Beyond them, the oldest are dropped, but unknown callers never displace known ones. */
const waitingMax = { known: 20_000, unknown: 10_000 };
export const flushTimeoutMs = 3_000;
const minuteMs = 60_000;

/** Writes the audit log in batches. A killed process loses the calls of 250 ms and the current minute's sums. */
export class AuditLog {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #report: (error: unknown, lost: number) => void;
  readonly #flusher = new BackgroundFlush(() => this.#writeAll());
  /** The entries of the current write, or of a failed one that is repeated. */
  #batch: readonly EncodedEntry[] = [];
  readonly #waiting: Record<keyof typeof waitingMax, EncodedEntry[]> = { known: [], unknown: [] };
  readonly #unknownCallers = new UnknownCallers();
  #endOfMinute: NodeJS.Timeout | null = null;
  #closing = false;
  #closed = false;
  #lost = 0;

  constructor(pool: pg.Pool, clock: Clock, report: (error: unknown, lost: number) => void) {
    this.#pool = pool;
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
    return this.#batch.length + this.#waitingUnbatched;
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
    let remaining = this.#waitingUnbatched;
    while (this.#batch.length > 0 || remaining > 0) {
      if (this.#batch.length === 0) {
        this.#batch = this.#takeEntries(Math.min(batchMax, remaining));
        remaining -= this.#batch.length;
      }
      try {
        await queryOn(this.#pool, insertEntries, columnsOf(this.#batch));
      } catch (error) {
        const isRefused = isDataError(error);
        this.#report(error, isRefused ? this.#batch.length : 0);
        if (!isRefused) return false;
      }
      this.#batch = [];
    }
    return true;
  }
}

/** SQLSTATE class 22 or 23: the entries themselves cannot be stored, so a repetition would fail again. */
function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}
