/** How one call is made. */
export interface CallOptions {
  /** Gives the call up: the promise is rejected with the signal's reason, between attempts too. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, the answer included; otherwise that of the client. */
  readonly timeoutMs?: number | undefined;
  /**
   * Names this piece of work, for operations that take keys: it is done once, however often it is asked for. Without one, a
   * fresh key makes the attempts of this one call safe. Give your own to make a whole run of your program repeatable.
   */
  readonly idempotencyKey?: string | undefined;
}

/** How a bulk request of any length is made; a key names the whole of it. */
export interface BatchOptions<T = unknown> extends CallOptions {
  /** Told after each call what became of its entries. Awaited, so that it can write them down. */
  readonly onPart?: ((part: BatchPart<T>) => void | Promise<void>) | undefined;
}

/** What one call of a bulk request did. */
export interface BatchPart<T = unknown> {
  /** The answer to this call; its details count from 0 again. */
  readonly answer: T;
  /** Place of its first entry in the whole input, from 0. */
  readonly from: number;
  readonly count: number;
  readonly requestId: string;
  /** Whether an earlier call with the same key had done it. */
  readonly replayed: boolean;
}

/** What an operation is called with, by where it stands in the request. */
export interface Input {
  readonly path?: Readonly<Record<string, number>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

/** A successful answer with what came beside the data. */
export interface Answer<T> {
  readonly data: T;
  /** Names the call; quote it when you ask the school about it. */
  readonly requestId: string;
  /** Whether an earlier call with the same key had done the work; then this is its stored answer. */
  readonly replayed: boolean;
  /** Of a replay: the call that did the work. */
  readonly originalRequestId: string | null;
  /** The key that was sent; null for operations that take none. */
  readonly idempotencyKey: string | null;
  /** How often the call was sent. */
  readonly attempts: number;
}

/** Time, as the client knows it; tests give their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects with the signal's reason once it is aborted. */
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
