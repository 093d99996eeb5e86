import { untilAborted } from '../concurrency/until-aborted.ts';
import { type DatabaseConnection, query } from './connect.ts';
import { transientErrorKind } from './transient-errors.ts';

/** A later answer counts as `unreachable`. */
const answerTimeoutMs = 2_000;
const successValidMs = 10_000;
const failureValidMs = 1_000;

const isReadOnly =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only";

/** Needs 400 kB of new disk space, because a full disk still accepts small changes on existing pages. */
const write =
  'CREATE TEMPORARY TABLE write_check ON COMMIT DROP AS SELECT n FROM generate_series(1, 10000) AS n';

export type DatabaseState = 'writable' | 'unwritable' | 'unreachable';

/** Checks the database each time, but tries a write at most every ten seconds, or every second after a failure. */
export class WriteCheck {
  readonly #database: Pick<DatabaseConnection, 'acquire'>;
  readonly #now: () => number;
  #running: Promise<DatabaseState> | null = null;
  #last: { readonly succeeded: boolean; readonly at: number } | null = null;

  /** @param now milliseconds of a monotonic clock */
  constructor(database: Pick<DatabaseConnection, 'acquire'>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Forgets the last success, because a write has failed elsewhere. */
  forgetSuccess(): void {
    if (this.#last?.succeeded) this.#last = null;
  }

  /** Returns the state within two seconds; never rejects. */
  async state(): Promise<DatabaseState> {
    this.#running ??= this.#checkNow().finally(() => {
      this.#running = null;
    });
    return untilAborted(AbortSignal.timeout(answerTimeoutMs), this.#running).catch(() => 'unreachable');
  }

  async #checkNow(): Promise<DatabaseState> {
    try {
      const client = await this.#database.acquire();
      try {
        const { rows } = await query<{ read_only: boolean }>(client, isReadOnly);
        if (rows[0]?.read_only) return 'unwritable';
        const { succeeded = false, at = 0 } = this.#last ?? {};
        const age = this.#now() - at;
        if (this.#last && age < (succeeded ? successValidMs : failureValidMs)) return stateAfter(succeeded);
        const written = await query(client, write).then(
          () => true,
          // Assumes success for a role that has no right to create temporary tables.
          (error: unknown) => transientErrorKind(error) === null,
        );
        this.#last = { succeeded: written, at: this.#now() };
        return stateAfter(written);
      } finally {
        client.release();
      }
    } catch {
      return 'unreachable';
    }
  }
}

const stateAfter = (written: boolean): DatabaseState => (written ? 'writable' : 'unwritable');
