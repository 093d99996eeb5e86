import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { WrongUse } from './terminal.ts';

/** A line of the journal: a call that is about to be made, or what became of it. */
interface Line {
  readonly at: string;
  readonly school: number;
  readonly key: string;
  /** Names of the rows that it gives. */
  readonly rows: readonly string[];
  /** Of each row whether it was given; absent before the answer. */
  readonly done?: readonly boolean[];
}

/** One call to make: its key, and the places of its rows in the file. */
export interface PlannedCall {
  readonly key: string;
  readonly places: readonly number[];
}

/** Keys are kept by the server for a day at least. */
const keysKeptMs = 24 * 3600 * 1000;

/**
 * Remembers beside a file which of its rows were given, so that the same file, longer or mended, can be given again and nothing
 * is given twice. A row is known by its content and by how often that came before: the same row twice is meant twice. Keys are
 * made of the rows of a call. So a call whose answer was lost is repeated with its key. Where the journal is lost, too, the server
 * still knows the keys for a day, as long as the calls have the same rows: rows that come behind a full last call of the file
 * are safe then; rows that come into the last call, or before others, make other calls, and give theirs once more.
 */
export class GivenRows {
  readonly #path: string;
  readonly #school: number;
  readonly #done = new Set<string>();
  readonly #refused = new Map<string, number>();
  /** Calls whose answer is not known. */
  readonly #open = new Map<string, Line>();

  /**
   * @param school its id: a file may be given to several
   * @throws WrongUse where a line of the journal is damaged: what it says was given is not known
   */
  constructor(path: string, school: number) {
    this.#path = path;
    this.#school = school;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // A process that was killed may have written the beginning of a line.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
    for (const [i, line] of whole.split('\n').entries()) if (line) this.#take(lineOf(line, path, i + 1));
  }

  #take(line: Line): void {
    if (line.school !== this.#school) return;
    const { key, rows, done } = line;
    if (!done) {
      // The server keeps the key from the first attempt on.
      if (!this.#open.has(key)) this.#open.set(key, line);
      return;
    }
    this.#open.delete(key);
    for (const [i, row] of rows.entries()) {
      if (done[i]) this.#done.add(row);
      else this.#refused.set(row, (this.#refused.get(row) ?? 0) + 1);
    }
  }

  /**
   * Which calls give what is not given yet: first those whose answer is not known, exactly as they were.
   *
   * @throws WrongUse where the server may have forgotten such a call, or the file no longer has its rows
   */
  plan(names: readonly string[], rowsMax: number, now: Date): PlannedCall[] {
    const placeOf = new Map(names.map((name, place) => [name, place]));
    const again = [...this.#open.values()].map(({ key, at, rows }) => {
      const places = rows.map((row) => placeOf.get(row));
      if (places.includes(undefined) || now.getTime() - Date.parse(at) > keysKeptMs) {
        throw new WrongUse(
          `${rows.length} rows were sent at ${at}, and it is not known what became of them. Look at the records of that time, take the rows that were given out of the file, and delete the line with ${key} from ${this.#path}`,
        );
      }
      return { key, places: places as number[] };
    });
    const taken = new Set(again.flatMap(({ places }) => places));
    const others = [...names.keys()].filter(
      (place) => !taken.has(place) && !this.#done.has(names[place] as string),
    );
    const calls: PlannedCall[] = [];
    for (let from = 0; from < others.length; from += rowsMax) {
      const places = others.slice(from, from + rowsMax);
      calls.push({ key: this.#keyOf(places.map((place) => names[place] as string)), places });
    }
    return [...again, ...calls];
  }

  /** Rows that were refused before are new work, which their old key would not do. */
  #keyOf(rows: readonly string[]): string {
    return `rows-${hashOf(rows.map((row) => `${row}.${this.#refused.get(row) ?? 0}`).join(' '))}`;
  }

  /** Whether the call was made before, and nobody knows what became of it. */
  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  willGive(key: string, rows: readonly string[], now: Date): void {
    this.#write({ at: now.toISOString(), school: this.#school, key, rows });
  }

  wereGiven(key: string, rows: readonly string[], done: readonly boolean[], now: Date): void {
    this.#write({ at: now.toISOString(), school: this.#school, key, rows, done });
  }

  /** It was refused as a whole: nothing of it was done. */
  wasRefused(key: string, rows: readonly string[], now: Date): void {
    this.wereGiven(key, rows, [], now);
  }

  #write(line: Line): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { flush: true } as object);
    this.#take(line);
  }
}

/** @throws WrongUse */
function lineOf(text: string, path: string, number: number): Line {
  try {
    const line = JSON.parse(text) as Line;
    if (typeof line.key === 'string' && Array.isArray(line.rows) && Number.isInteger(line.school))
      return line;
  } catch {
    // Said below.
  }
  throw new WrongUse(
    `Line ${number} of the journal ${path} is damaged, so nothing was sent. Put a copy of the journal back. Without one, look at the records in the school, take the rows that were given out of your file, and delete the journal`,
  );
}

/** Names for rows: of each a hash of its content and of how often that came before. */
export function rowNames(contents: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return contents.map((content) => {
    const count = seen.get(content) ?? 0;
    seen.set(content, count + 1);
    return hashOf(`${count} ${content}`);
  });
}

/** A short name for a text. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
