import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseConnection, query } from './connect.ts';
import { troubleOf } from './trouble.ts';

/** An answer that takes longer is no. */
const answerWithinMs = 2_000;
/** How old a successful write may be, and how soon after a failed one the next is tried. */
const provenForMs = 10_000;
const refusedForMs = 1_000;

const isReadOnly =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";

/**
 * Needs new room on the disk, as records do: a full disk still takes small changes in places that are there. 400 kB,
 * gone at once.
 */
const write =
  'CREATE TEMPORARY TABLE write_check ON COMMIT DROP AS SELECT n FROM generate_series(1, 10000) AS n';

/** Whether the database answers, and takes writes. */
export type DatabaseState = 'writable' | 'unwritable' | 'away';

/**
 * Tells whether the database answers and takes writes. It is asked each time; the write is tried every ten seconds,
 * and every second from a failed write on until one succeeds. Those who ask at the same time share the answer.
 */
export class WriteCheck {
  readonly #database: Pick<DatabaseConnection, 'acquire'>;
  readonly #now: () => number;
  #asking: Promise<DatabaseState> | null = null;
  #last: { readonly succeeded: boolean; readonly at: number } | null = null;

  /** @param now in milliseconds, from a clock that no one sets */
  constructor(database: Pick<DatabaseConnection, 'acquire'>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** A write has failed somewhere: the next answer is not taken from memory. */
  doubt(): void {
    if (this.#last?.succeeded) this.#last = null;
  }

  /** @returns whether writes can succeed, within two seconds; never rejects */
  async canWrite(): Promise<boolean> {
    return (await this.state()) === 'writable';
  }

  /** @returns what the database can do, within two seconds; never rejects */
  async state(): Promise<DatabaseState> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    const answered = new AbortController();
    const late = pause(answerWithinMs, 'away' as const, { signal: answered.signal }).catch(
      () => 'away' as const,
    );
    const answer = await Promise.race([this.#asking, late]);
    answered.abort();
    return answer;
  }

  async #ask(): Promise<DatabaseState> {
    try {
      const client = await this.#database.acquire();
      try {
        const { rows } = await query<{ read_only: boolean }>(client, isReadOnly);
        if (rows[0]?.read_only) return 'unwritable';
        const { succeeded = false, at = 0 } = this.#last ?? {};
        const age = this.#now() - at;
        if (this.#last && age < (succeeded ? provenForMs : refusedForMs)) return stateAfter(succeeded);
        const written = await query(client, write).then(
          () => true,
          // Whoever may not create temporary tables cannot find out in this way.
          (error: unknown) => troubleOf(error) === null,
        );
        this.#last = { succeeded: written, at: this.#now() };
        return stateAfter(written);
      } finally {
        client.release();
      }
    } catch {
      return 'away';
    }
  }
}

const stateAfter = (written: boolean): DatabaseState => (written ? 'writable' : 'unwritable');
