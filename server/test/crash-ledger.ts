import { eventually } from './eventually.ts';
import { headersOf, type Remote, type RemoteAnswer } from './remote.ts';

export interface SentRequest {
  readonly kind: 'single' | 'batch' | 'student' | 'revoke';
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly key: string | null;
  /** Descriptions of the created records, or the created username. */
  readonly creates: readonly string[];
  readonly revokes: number | null;
  answer: RemoteAnswer | null;
}

interface CrashOptions {
  readonly students: readonly number[];
  readonly classId: number;
  readonly token: string;
  readonly random: () => number;
  /** Share of the requests that have an idempotency key. */
  readonly keyShare: number;
}

/** Keeps all requests of a crash test. Acknowledged writes must exist once, other writes at most once. */
export class CrashLedger {
  readonly sent: SentRequest[] = [];
  readonly #options: CrashOptions;
  readonly #revocable: number[] = [];

  constructor(options: CrashOptions) {
    this.#options = options;
  }

  async sendUntil(remote: Remote, until: () => boolean): Promise<void> {
    while (!until()) {
      const one = this.#next();
      this.sent.push(one);
      if (!(await this.#send(remote, one))) return;
    }
  }

  /** Repeats requests with a key and no answer until each has an answer, and returns them. */
  async repeat(remote: Remote): Promise<SentRequest[]> {
    const open = this.sent.filter((one) => one.key !== null && one.answer === null);
    for (const one of open) await eventually('the key is free', () => this.#send(remote, one));
    return open;
  }

  async read(remote: Remote, path: string): Promise<RemoteAnswer> {
    return remote.call('GET', `/api/v1${path}`, { headers: headersOf(this.#options.token) });
  }

  async #send(remote: Remote, one: SentRequest): Promise<boolean> {
    const headers: Record<string, string> = headersOf(this.#options.token);
    if (one.key !== null) headers['idempotency-key'] = one.key;
    const options = one.body === undefined ? { headers } : { headers, body: one.body };
    const answer = await remote.call(one.method, `/api/v1${one.path}`, options).catch(() => null);
    // The first attempt may still hold the key (409).
    if (answer === null || answer.status >= 500 || answer.status === 409) return false;
    one.answer = answer;
    if (answer.status === 200 && (one.kind === 'single' || one.kind === 'batch')) {
      const { details } = answer.data as { details: { logId: number }[] };
      this.#revocable.push(...details.map((detail) => detail.logId));
    }
    return true;
  }

  #next(): SentRequest {
    const { students, classId, random, keyShare } = this.#options;
    const name = `n${this.sent.length}`;
    const key = random() < keyShare ? `key-${name}` : null;
    const choice = random();
    const score = (description: string) => ({
      userId: students[Math.floor(random() * students.length)] as number,
      scoreChange: Math.floor(random() * 41) - 20,
      description,
    });
    const common = { method: 'POST', path: '/scores', key, revokes: null, answer: null } as const;
    if (choice < 0.04) {
      const body = { username: name, classId, password: 'secret-password' };
      return { ...common, kind: 'student', path: '/students', body, creates: [name] };
    }
    const record = choice < 0.2 ? this.#revocable.shift() : undefined;
    if (record !== undefined) {
      const path = `/scores/${record}`;
      return { ...common, kind: 'revoke', method: 'DELETE', path, creates: [], revokes: record };
    }
    if (choice < 0.5) return { ...common, kind: 'single', body: score(name), creates: [name] };
    const count = 2 + Math.floor(random() * 8);
    const creates = Array.from({ length: count }, (_, i) => `${name}.${i}`);
    return { ...common, kind: 'batch', body: { items: creates.map(score) }, creates };
  }
}
