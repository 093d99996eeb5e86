import type { FastifyBaseLogger } from 'fastify';
import { type TransientErrorKind, transientErrorKind } from '../database/transient-errors.ts';

const countEveryMs = 60_000;

const texts: Readonly<Record<TransientErrorKind, string>> = {
  unreachable: 'The database is unreachable',
  unwritable: 'The database accepts no writes',
  locked: 'Row locks were not released in time',
  'too slow': 'Reads exceed their time limit',
  busy: 'Too many requests wait for the database',
};

/** Logs failures that the caller did not cause. Logs a transient database error once, then its repeats each minute. */
export class FailureLog {
  readonly #log: FastifyBaseLogger;
  readonly #onTransientError: (kind: TransientErrorKind) => void;
  readonly #repeats = new Map<TransientErrorKind, number>();
  #isMuted = false;

  constructor(log: FastifyBaseLogger, onTransientError: (kind: TransientErrorKind) => void) {
    this.#log = log;
    this.#onTransientError = onTransientError;
  }

  /** Stops logging failed requests, because the stop has logged their number. */
  muteRequests(): void {
    this.#isMuted = true;
  }

  reportRequest(error: unknown, names: object): void {
    if (!this.#isMuted) this.report(error, 'internal error', names);
  }

  /** @param what names the failed work; of transient database errors of one kind, only the first is logged */
  report(error: unknown, what: string, more: object = {}): void {
    const kind = transientErrorKind(error);
    if (!kind) {
      this.#log.error({ err: error, ...more }, what);
      return;
    }
    this.#onTransientError(kind);
    const repeats = this.#repeats.get(kind);
    if (repeats !== undefined) {
      this.#repeats.set(kind, repeats + 1);
      return;
    }
    this.#log.error(
      { ...more, first: what, reason: reasonOf(error) },
      `${texts[kind]}; repeats are counted each minute`,
    );
    this.#count(kind);
  }

  /** Logs the repeats of each minute, until a minute has none. */
  #count(kind: TransientErrorKind): void {
    this.#repeats.set(kind, 0);
    setTimeout(() => {
      const repeats = this.#repeats.get(kind);
      this.#repeats.delete(kind);
      if (!repeats) return;
      this.#log.error({ repeats }, `${texts[kind]}; repeated in the last minute`);
      this.#count(kind);
    }, countEveryMs).unref();
  }
}

/** Returns the innermost message, which comes from the database or the network. */
function reasonOf(error: unknown): string {
  let cause = error as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause;
  return [cause.code, cause.message].filter(Boolean).join(' ');
}
