import type { Clock } from '../src/call.ts';

export type ScriptedAnswer =
  | 'passes'
  | 'answerIsLost'
  | 'hangs'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

/** Returns a `fetch` that answers the next requests as given, and a clock that only records waits. */
export function scriptAnswers(...answers: ScriptedAnswer[]) {
  const sent: { readonly method: string; readonly url: string; readonly key: string | null }[] = [];
  const waits: number[] = [];
  const nextAnswer = (): ScriptedAnswer => answers.shift() ?? 'passes';
  const scriptedFetch: typeof fetch = async (url, init = {}) => {
    sent.push({
      method: String(init.method),
      url: String(url),
      key: new Headers(init.headers).get('idempotency-key'),
    });
    const scriptedAnswer = nextAnswer();
    if (scriptedAnswer === 'passes') return fetch(url, init);
    if (scriptedAnswer === 'hangs') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        clock.reachTimeout();
      });
    }
    if (scriptedAnswer === 'answerIsLost') {
      await (await fetch(url, init)).text();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('lost'), { code: 'ECONNRESET' }),
      });
    }
    const { status, headers = {}, body = '<h1>Bad gateway</h1>' } = scriptedAnswer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const clock = new RecordingClock(waits);
  return { fetch: scriptedFetch, clock, sent, waits };
}

class RecordingClock implements Clock {
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

  reachTimeout(): void {
    this.#end();
  }
}

export const timeoutMs = 987_654;

export const refusal = (code: number, headers: Record<string, string> = {}): ScriptedAnswer => ({
  status: Math.floor(code / 100),
  headers,
  body: { code, message: 'no', data: null, requestId: 'r-1' },
});
