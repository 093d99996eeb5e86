import type { FastifyBaseLogger } from 'fastify';
import { type Trouble, troubleOf } from '../database/trouble.ts';

const everyMs = 60_000;

const texts: Readonly<Record<Trouble, string>> = {
  away: 'The database is away',
  unwritable: 'The database cannot write',
  locked: 'Rows stay locked for too long',
  'too slow': 'Reads take too long',
  busy: 'Too many wait for the database',
};

/**
 * Logs failures that are not the caller's. What no one expected has its stack. Trouble with the database meets every
 * call while it lasts, so it has one line when it begins and one a minute that counts, without a stack.
 */
export class FailureLog {
  readonly #log: FastifyBaseLogger;
  readonly #met: (trouble: Trouble) => void;
  readonly #repeats = new Map<Trouble, number>();
  #hasCutOff = false;

  /** @param met told of all trouble with the database */
  constructor(log: FastifyBaseLogger, met: (trouble: Trouble) => void) {
    this.#log = log;
    this.#met = met;
  }

  /** The stop has cut off the requests under way, and told how many. Without a database they fail one after the other. */
  cutOff(): void {
    this.#hasCutOff = true;
  }

  /** A request failed; one that was cut off is no failure. @param names of the request */
  reportRequest(error: unknown, names: object): void {
    if (!this.#hasCutOff) this.report(error, 'internal error', names);
  }

  /** @param what failed, and more about it; of trouble with the database only the first is told */
  report(error: unknown, what: string, more: object = {}): void {
    const trouble = troubleOf(error);
    if (!trouble) {
      this.#log.error({ err: error, ...more }, what);
      return;
    }
    this.#met(trouble);
    const repeats = this.#repeats.get(trouble);
    if (repeats !== undefined) {
      this.#repeats.set(trouble, repeats + 1);
      return;
    }
    this.#log.error(
      { ...more, first: what, reason: reasonOf(error) },
      `${texts[trouble]}; counted from now on`,
    );
    this.#count(trouble);
  }

  /** Counts for a minute; one without any ends the trouble. */
  #count(trouble: Trouble): void {
    this.#repeats.set(trouble, 0);
    setTimeout(() => {
      const repeats = this.#repeats.get(trouble);
      this.#repeats.delete(trouble);
      if (!repeats) return;
      this.#log.error({ repeats }, `${texts[trouble]}; so many times more in the last minute`);
      this.#count(trouble);
    }, everyMs).unref();
  }
}

/** The innermost message: that of the database or the network. */
function reasonOf(error: unknown): string {
  let cause = error as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause;
  return [cause.code, cause.message].filter(Boolean).join(' ');
}
