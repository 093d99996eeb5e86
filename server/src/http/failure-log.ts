import type { FastifyBaseLogger } from 'fastify';
import { type Trouble, troubleOf } from '../database/trouble.ts';

const countEveryMs = 60_000;

const texts: Readonly<Record<Trouble, string>> = {
  away: 'The database is unreachable',
  unwritable: 'The database accepts no writes',
  locked: 'Row locks were not released in time',
  'too slow': 'Reads exceed their time limit',
  busy: 'Too many requests wait for the database',
};

/** Logs failures that the caller did not cause. Logs database trouble once, and then its repeats each minute. */
export class FailureLog {
  readonly #log: FastifyBaseLogger;
  readonly #onTrouble: (trouble: Trouble) => void;
  readonly #repeats = new Map<Trouble, number>();
  #isMuted = false;

  constructor(log: FastifyBaseLogger, onTrouble: (trouble: Trouble) => void) {
    this.#log = log;
    this.#onTrouble = onTrouble;
  }

  /** Stops logging failed requests, because the stop has logged their number. */
  muteRequests(): void {
    this.#isMuted = true;
  }

  reportRequest(error: unknown, names: object): void {
    if (!this.#isMuted) this.report(error, 'internal error', names);
  }

  /** @param what names the failed work; while trouble with the database lasts, only the first is logged */
  report(error: unknown, what: string, more: object = {}): void {
    const trouble = troubleOf(error);
    if (!trouble) {
      this.#log.error({ err: error, ...more }, what);
      return;
    }
    this.#onTrouble(trouble);
    const repeats = this.#repeats.get(trouble);
    if (repeats !== undefined) {
      this.#repeats.set(trouble, repeats + 1);
      return;
    }
    this.#log.error(
      { ...more, first: what, reason: reasonOf(error) },
      `${texts[trouble]}; repeats are counted each minute`,
    );
    this.#count(trouble);
  }

  /** Logs the repeats of each minute, until a minute has none. */
  #count(trouble: Trouble): void {
    this.#repeats.set(trouble, 0);
    setTimeout(() => {
      const repeats = this.#repeats.get(trouble);
      this.#repeats.delete(trouble);
      if (!repeats) return;
      this.#log.error({ repeats }, `${texts[trouble]}; repeated in the last minute`);
      this.#count(trouble);
    }, countEveryMs).unref();
  }
}

/** Returns the innermost message, which comes from the database or the network. */
function reasonOf(error: unknown): string {
  let cause = error as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause;
  return [cause.code, cause.message].filter(Boolean).join(' ');
}
