import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../server/test/eventually.ts';
import { type Ended, ServerProcess } from '../../../server/test/server-process.ts';
import { repository } from '../repository.ts';

const password = 'correct horse battery';
/** Enough writes to overlap with the start of the second process. */
const keysMin = 100;
const inParallel = 8;
/** Leaves the processors to the process that starts. */
const betweenWritesMs = 20;

export async function runSideBySide(old: string, databaseUrl: string): Promise<void> {
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(old, 'data'),
    ADMIN_PASSWORD: password,
    SECRET_KEY: 'the secret of both processes, long enough',
    RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
    PORT: '0',
  };
  const running: ServerProcess[] = [];
  const run = (sources: string, command?: string) => {
    const server = new ServerProcess(settings, old, command, [
      process.execPath,
      join(sources, 'server/src/main.js'),
    ]);
    running.push(server);
    return server;
  };
  try {
    const before = run(old);
    await before.ready();
    const office = await openOffice(before.address as string);
    const writes = new TwiceWritten(office);
    const load = writes.keepWriting([before]);
    const today = run(repository);
    await today.ready();
    const sinceBoth = writes.count;
    writes.useAlso(today);
    await eventually('both have written', () => load.failed() || writes.count > sinceBoth + keysMin, 120_000);
    await load.stop();
    await writes.proveOnce([before, today]);
    await changesReachTheOther(office, [before, today]);
    const again = run(old);
    await restarts(again);
    for (const server of running)
      if (!server.hasEnded) assert.deepEqual(await server.stop(), clean, server.stderr);
    const proof = run(repository, 'verify');
    assert.deepEqual(await proof.ended, clean, proof.stdout + proof.stderr);
    console.log(
      `Side by side: ${writes.count} keyed writes, each sent to both, counted once; ${proof.stdout.trim()}`,
    );
  } finally {
    for (const server of running) if (!server.hasEnded) await server.kill();
  }
}

const clean: Ended = { code: 0, signal: null };

interface Office {
  readonly token: string;
  readonly students: readonly number[];
  disable(address: string, disabled: boolean): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly code: number;
  readonly data: { details: { logId: number }[]; total: number };
}

async function openOffice(address: string): Promise<Office> {
  const call = async (place: string, method: string, path: string, body: unknown, headers = {}) => {
    const response = await fetch(place + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data: unknown; message: string };
    assert.equal(response.status, 200, `${path}: ${answer.message}`);
    return { data: answer.data, cookie: response.headers.getSetCookie()[0]?.split(';')[0] };
  };
  const { cookie } = await call(address, 'POST', '/api/auth/login', { username: 'admin', password });
  const created = async <T>(path: string, body: object, headers = {}) =>
    (await call(address, 'POST', `/api${path}`, body, { cookie, ...headers })).data as T;
  const { schoolDb } = await created<{ schoolDb: string }>('/schools', { name: 'Riverside School' });
  const { id: gradeId } = await created<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const { id: classId } = await created<{ id: number }>('/classes', { schoolDb, gradeId, name: 'Class 1' });
  const confirmed = { 'x-confirm-password': password };
  const scopes = ['structure:read', 'students:read', 'students:write', 'scores:read', 'scores:write'];
  const credential = { schoolDb, name: 'Campus card', scopeType: 'school', scopes };
  const { token, id } = await created<{ token: string; id: number }>('/api-tokens', credential, confirmed);
  const batch = [1, 2, 3, 4, 5].map((n) => ({ username: `s${n}`, classId }));
  const made = await call(
    address,
    'POST',
    '/api/v1/students',
    { batch },
    { authorization: `Bearer ${token}` },
  );
  const { details } = made.data as { details: { id: number }[] };
  return {
    token,
    students: details.map((detail) => detail.id),
    disable: async (place, disabled) => {
      const headers = { cookie, ...confirmed };
      await call(place, 'PATCH', `/api/api-tokens/${id}?schoolDb=${schoolDb}`, { disabled }, headers);
    },
  };
}

class TwiceWritten {
  readonly #office: Office;
  readonly #answers: Answer[][] = [];
  #servers: readonly ServerProcess[] = [];

  constructor(office: Office) {
    this.#office = office;
  }

  get count(): number {
    return this.#answers.length;
  }

  useAlso(server: ServerProcess): void {
    this.#servers = [...this.#servers, server];
  }

  keepWriting(servers: readonly ServerProcess[]) {
    this.#servers = servers;
    let stopped = false;
    let started = 0;
    let failure: unknown;
    const worker = async () => {
      while (!stopped) {
        this.#answers.push(await this.#write(started++));
        await pause(betweenWritesMs);
      }
    };
    const workers = Array.from({ length: inParallel }, () =>
      worker().catch((error: unknown) => {
        failure ??= error;
        stopped = true;
      }),
    );
    return {
      failed: () => failure !== undefined,
      stop: async () => {
        stopped = true;
        await Promise.all(workers);
        if (failure !== undefined) throw failure;
      },
    };
  }

  async #write(n: number): Promise<Answer[]> {
    const [first, ...others] = n % 2 === 0 ? this.#servers : this.#servers.toReversed();
    const send = (server: ServerProcess | undefined) => this.#send(server as ServerProcess, n);
    // Sends every third write to the servers in parallel, and the others in sequence.
    if (n % 3 === 0) return Promise.all(this.#servers.map(send));
    const answers = [await send(first)];
    for (const server of others) answers.push(await send(server));
    return answers;
  }

  async #send(server: ServerProcess, n: number): Promise<Answer> {
    const { students, token } = this.#office;
    const body = { userId: students[n % students.length], scoreChange: 1, description: `write ${n}` };
    for (;;) {
      const response = await fetch(`${server.address}/api/v1/scores`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': `key-${n}`,
        },
        body: JSON.stringify(body),
      });
      const answer = { status: response.status, ...(await response.json()) } as Answer;
      // Sends the write again while the other process uses the key.
      if (response.status === 409) continue;
      assert.equal(response.status, 200, `write ${n}: ${JSON.stringify(answer)}`);
      return answer;
    }
  }

  async proveOnce(servers: readonly ServerProcess[]): Promise<void> {
    const ids = this.#answers.map((answers) => {
      const [first, ...others] = answers.map(({ data }) => data.details[0]?.logId);
      for (const other of others) assert.equal(other, first, 'both answer with the same record');
      return first;
    });
    assert.equal(new Set(ids).size, ids.length, 'no record answers for two writes');
    for (const server of servers) {
      const headers = { authorization: `Bearer ${this.#office.token}` };
      const response = await fetch(`${server.address}/api/v1/scores?limit=1`, { headers });
      const { data } = (await response.json()) as Answer;
      assert.equal(data.total, ids.length, 'the ledger holds each write once');
    }
  }
}

async function changesReachTheOther(office: Office, servers: readonly ServerProcess[]): Promise<void> {
  const headers = { authorization: `Bearer ${office.token}` };
  const statusAt = async (server: ServerProcess) =>
    (await fetch(`${server.address}/api/v1/ping`, { headers })).status;
  for (const [one, other] of [servers, servers.toReversed()] as [ServerProcess, ServerProcess][]) {
    for (const [disabled, status] of [
      [true, 401],
      [false, 200],
    ] as const) {
      await office.disable(one.address as string, disabled);
      assert.equal(await statusAt(one), status);
      await eventually(
        `the other process answers ${status}`,
        async () => (await statusAt(other)) === status,
        5_000,
      );
    }
  }
}

/** Proves that an old process can start again, for example after a crash. */
async function restarts(server: ServerProcess): Promise<void> {
  await eventually(
    'the version before is ready, or has ended',
    () => server.hasEnded || server.address !== null,
  );
  assert.notEqual(server.address, null, server.stderr);
}
