import type { Clock } from '../src/call.ts';

export type Fate =
  | 'passes'
  | 'answerIsLost'
  | 'hangs'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

/** Returns a fetch whose next requests meet the given fates, and a clock that only records waits. */
export function scripted(...fates: Fate[]) {
  const sent: { readonly method: string; readonly url: string; readonly key: string | null }[] = [];
  const waits: number[] = [];
  const fate = (): Fate => fates.shift() ?? 'passes';
  const scriptedFetch: typeof fetch = async (url, init = {}) => {
    sent.push({
      method: String(init.method),
      url: String(url),
      key: new Headers(init.headers).get('idempotency-key'),
    });
    const meets = fate();
    if (meets === 'passes') return fetch(url, init);
    if (meets === 'hangs') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        clock.passes();
      });
    }
    if (meets === 'answerIsLost') {
      await (await fetch(url, init)).text();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('lost'), { code: 'ECONNRESET' }),
      });
    }
    const { status, headers = {}, body = '<h1>Bad gateway</h1>' } = meets;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const clock = new NotingClock(waits);
  return { fetch: scriptedFetch, clock, sent, waits };
}

class NotingClock implements Clock {
  readonly #waits: number[];
  #end: () => void = () => {};

  constructor(waits: number[]) {
    this.#waits = waits;
  }

  now = () => Date.parse('2026-09-15T10:00:00.000Z');
  random = () => 0;

  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    if (milliseconds === timeoutMs) {
      return new Promise((resolve) => {
        this.#end = resolve;
      });
    }
    this.#waits.push(milliseconds);
    signal?.throwIfAborted();
    return Promise.resolve();
  }

  passes(): void {
    this.#end();
  }
}

export const timeoutMs = 987_654;

export const refused = (code: number, headers: Record<string, string> = {}): Fate => ({
  status: Math.floor(code / 100),
  headers,
  body: { code, message: 'no', data: null, requestId: 'r-1' },
});
