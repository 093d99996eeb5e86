export interface CallOptions {
  /** Aborts the call, also between attempts; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit for one attempt, including its answer; by default the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * Names this piece of work: the server does it once, however often you send it. By default the client creates a key,
   * which protects its own retries. Pass your own key, the same in every run, if your program may run again for the
   * same work.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface BatchOptions<T = unknown> extends CallOptions {
  /** Called after each call with its results. The client awaits it, so that you can store them. */
  readonly onPart?: ((part: BatchPart<T>) => void | Promise<void>) | undefined;
}

export interface BatchPart<T = unknown> {
  /** The answer to this call; the indexes in `details` restart at 0. */
  readonly answer: T;
  /** Index of the call's first entry in the whole input. */
  readonly from: number;
  readonly count: number;
  readonly requestId: string;
  readonly replayed: boolean;
}

export interface Input {
  readonly path?: Readonly<Record<string, number>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

export interface Answer<T> {
  readonly data: T;
  /** Identifies the call; quote this id when you ask the school about the call. */
  readonly requestId: string;
  readonly replayed: boolean;
  /** For a replay, the request id of the call that did the work. */
  readonly originalRequestId: string | null;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
}

export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', end, { once: true });
    }),
  random: () => Math.random(),
};
