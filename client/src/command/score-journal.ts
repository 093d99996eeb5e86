import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { UsageError } from './terminal.ts';

interface JournalEntry {
  readonly at: string;
  readonly school: number;
  readonly key: string;
  readonly rows: readonly string[];
  readonly done?: readonly boolean[];
}

export interface PlannedCall {
  readonly key: string;
  /** The places of the rows in the file. */
  readonly indexes: readonly number[];
  /** The names of the rows. */
  readonly rows: readonly string[];
  /** Whether an earlier run sent the call and got no answer. */
  readonly isUnanswered: boolean;
}

/** The server keeps idempotency keys for at least a day. */
const keyRetentionMs = 24 * 3600 * 1000;

/**
 * Keeps a journal of the given rows, so that importing a longer or corrected file gives no row twice. A row is
 * identified by its content and the number of equal rows before it. A call's key is a hash of its rows, so the call can
 * be repeated. Without the journal, keys protect only calls with the same rows, for a day.
 */
export class ScoreJournal {
  readonly #path: string;
  readonly #school: number;
  readonly #done = new Set<string>();
  readonly #refused = new Map<string, number>();
  /** Calls that were sent, but whose answer is unknown. */
  readonly #unanswered = new Map<string, JournalEntry>();

  /** @param school its id: one file can be given to several schools @throws UsageError when the journal is damaged */
  constructor(path: string, school: number) {
    this.#path = path;
    this.#school = school;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // Drops an incomplete last line, which a killed process can leave.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
    for (const [i, line] of whole.split('\n').entries()) if (line) this.#apply(parseEntry(line, path, i + 1));
  }

  #apply(line: JournalEntry): void {
    if (line.school !== this.#school) return;
    const { key, rows, done } = line;
    if (!done) {
      // Keeps the time of the first attempt, because the server's retention of the key starts then.
      if (!this.#unanswered.has(key)) this.#unanswered.set(key, line);
      return;
    }
    this.#unanswered.delete(key);
    for (const [i, row] of rows.entries()) {
      if (done[i]) this.#done.add(row);
      else this.#refused.set(row, (this.#refused.get(row) ?? 0) + 1);
    }
  }

  /** Plans missing calls, unanswered ones first. @throws UsageError when an unanswered call's key or rows are gone */
  planCalls(names: readonly string[], rowsMax: number): PlannedCall[] {
    const indexByName = new Map(names.map((name, place) => [name, place]));
    const repeated = [...this.#unanswered.values()].map(({ key, at, rows }) => {
      const indexes = rows.map((row) => indexByName.get(row));
      if (indexes.includes(undefined) || Date.now() - Date.parse(at) > keyRetentionMs) {
        throw new UsageError(
          `${rows.length} rows were sent at ${at}, and their result is unknown. Look at the records of that time, take the rows that were given out of the file, and delete the line with ${key} from ${this.#path}`,
        );
      }
      return { key, indexes: indexes as number[], rows, isUnanswered: true };
    });
    const taken = new Set(repeated.flatMap(({ indexes }) => indexes));
    const others = [...names.keys()].filter(
      (place) => !taken.has(place) && !this.#done.has(names[place] as string),
    );
    const calls: PlannedCall[] = [];
    for (let from = 0; from < others.length; from += rowsMax) {
      const indexes = others.slice(from, from + rowsMax);
      const rows = indexes.map((place) => names[place] as string);
      calls.push({ key: this.#keyOf(rows), indexes, rows, isUnanswered: false });
    }
    return [...repeated, ...calls];
  }

  /** Adds the number of refusals, because refused rows need a new key for another try. */
  #keyOf(rows: readonly string[]): string {
    return `rows-${hashOf(rows.map((row) => `${row}.${this.#refused.get(row) ?? 0}`).join(' '))}`;
  }

  /** Records that a call is sent or, with `done`, whether each row was given. A refused call gave none. */
  record({ key, rows }: PlannedCall, done?: readonly boolean[]): void {
    const line = { at: new Date().toISOString(), school: this.#school, key, rows, ...(done && { done }) };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { flush: true } as object);
    this.#apply(line);
  }
}

function parseEntry(text: string, path: string, number: number): JournalEntry {
  try {
    const line = JSON.parse(text) as JournalEntry;
    if (typeof line.key === 'string' && Array.isArray(line.rows) && Number.isInteger(line.school))
      return line;
  } catch {
    // The error below reports the damage.
  }
  throw new UsageError(
    `Line ${number} of the journal ${path} is damaged, so nothing was sent. Put a copy of the journal back. Without one, look at the records in the school, take the rows that were given out of your file, and delete the journal`,
  );
}

/** Names each row by a hash of its content and the number of equal rows before it. */
export function rowIds(contents: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return contents.map((content) => {
    const count = seen.get(content) ?? 0;
    seen.set(content, count + 1);
    return hashOf(`${count} ${content}`);
  });
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
