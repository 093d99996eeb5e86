import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BulkScores } from '@classledger/contract';
import { eventually } from '../../../server/test/eventually.ts';
import type { Ended } from '../../../server/test/program.ts';
import { openRemoteSchool, Remote, signInAt } from '../../../server/test/remote.ts';
import { ServerProcess } from '../../../server/test/server-process.ts';
import { repository } from '../repository.ts';

const admin = { username: 'admin', password: 'correct horse battery' };
/** Enough writes to overlap with the start of the second process. */
const keysMin = 100;
const inParallel = 8;
/** Leaves the processors to the process that starts. */
const betweenWritesMs = 20;

const clean: Ended = { code: 0, signal: null };

export async function runSideBySide(old: string, databaseUrl: string): Promise<void> {
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(old, 'data'),
    ADMIN_PASSWORD: admin.password,
    SECRET_KEY: 'the secret of both processes, long enough',
    RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
    PORT: '0',
  };
  const running: ServerProcess[] = [];
  const run = (sources: string, command?: string) => {
    const main = join(sources, 'server/src/main.js');
    const server = new ServerProcess(settings, old, command, [process.execPath, main]);
    running.push(server);
    return server;
  };
  const startServing = async (sources: string) => {
    const server = run(sources);
    await server.ready();
    return new Remote(server.address as string);
  };
  try {
    const before = await startServing(old);
    const office = await openRemoteSchool(before, admin, 5);
    const writes = new TwiceWritten(office, before);
    const load = writes.keepWriting();
    const today = await startServing(repository);
    const sinceBoth = writes.count;
    writes.useAlso(today);
    await eventually('both have written', () => load.failed() || writes.count > sinceBoth + keysMin);
    await load.stop();
    await writes.proveOnce();
    await changesReachTheOther(office, before, today);
    await changesReachTheOther(office, today, before);
    // An old process can start again, for example after a crash.
    await startServing(old);
    for (const server of running) assert.deepEqual(await server.stop(), clean, server.stderr);
    const proof = run(repository, 'verify');
    assert.deepEqual(await proof.ended, clean, proof.stdout + proof.stderr);
    console.log(
      `Side by side: ${writes.count} keyed writes, each sent to both, counted once; ${proof.stdout.trim()}`,
    );
  } finally {
    for (const server of running) if (!server.hasEnded) await server.kill();
  }
}

type Office = Awaited<ReturnType<typeof openRemoteSchool>>;

class TwiceWritten {
  readonly #office: Office;
  /** The records with which the processes answered, by write. */
  readonly #records: number[][] = [];
  #servers: readonly Remote[];

  constructor(office: Office, server: Remote) {
    this.#office = office;
    this.#servers = [server];
  }

  get count(): number {
    return this.#records.length;
  }

  useAlso(server: Remote): void {
    this.#servers = [...this.#servers, server];
  }

  keepWriting() {
    let stopped = false;
    let started = 0;
    let failure: unknown;
    const worker = async () => {
      while (!stopped) {
        this.#records.push(await this.#write(started++));
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

  async #write(n: number): Promise<number[]> {
    const servers = n % 2 === 0 ? this.#servers : this.#servers.toReversed();
    // Sends every third write to the servers in parallel, and the others in sequence.
    if (n % 3 === 0) return Promise.all(servers.map((server) => this.#send(server, n)));
    const records: number[] = [];
    for (const server of servers) records.push(await this.#send(server, n));
    return records;
  }

  async #send(server: Remote, n: number): Promise<number> {
    const { studentIds, headers } = this.#office;
    for (;;) {
      const answer = await server.call('POST', '/api/v1/scores', {
        headers: { ...headers, 'idempotency-key': `key-${n}` },
        body: { userId: studentIds[n % studentIds.length], scoreChange: 1, description: `write ${n}` },
      });
      // Sends the write again while the other process uses the key.
      if (answer.status === 409) continue;
      assert.equal(answer.status, 200, `write ${n}: ${answer.message}`);
      return (answer.data as BulkScores).details[0]?.logId as number;
    }
  }

  async proveOnce(): Promise<void> {
    const ids = this.#records.map(([first, ...others]) => {
      for (const other of others) assert.equal(other, first, 'both answer with the same record');
      return first;
    });
    assert.equal(new Set(ids).size, ids.length, 'no record answers for two writes');
    for (const server of this.#servers) {
      const { headers } = this.#office;
      const { data } = await server.call('GET', '/api/v1/scores?limit=1', { headers });
      assert.equal((data as { total: number }).total, ids.length, 'the ledger holds each write once');
    }
  }
}

async function changesReachTheOther(office: Office, one: Remote, other: Remote): Promise<void> {
  const { headers, schoolDb, credentialId } = office;
  const path = `/api-tokens/${credentialId}?schoolDb=${schoolDb}`;
  const session = await signInAt(one, admin);
  const statusAt = async (server: Remote) => (await server.call('GET', '/api/v1/ping', { headers })).status;
  for (const [disabled, status] of [
    [true, 401],
    [false, 200],
  ] as const) {
    await session.data('PATCH', path, { disabled }, { 'x-confirm-password': admin.password });
    assert.equal(await statusAt(one), status);
    const isKnown = async () => (await statusAt(other)) === status;
    await eventually(`the other process answers ${status}`, isKnown, 5_000);
  }
}
