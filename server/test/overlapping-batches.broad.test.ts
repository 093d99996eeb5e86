import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { type CutMoment, DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { openRemoteSchool, Remote, type RemoteAnswer } from './remote.ts';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';
import { withClient } from './with-client.ts';

interface Given {
  readonly body: { userId: number; scoreChange: number; description: string };
  readonly key: string;
  answer: RemoteAnswer | null;
}

const workers = 8;
const admin = { username: 'admin', password: 'correct horse battery' };
const database = await createDatabase('migrated');
const proxy = await DatabaseProxy.start({ ...inject('postgres'), database });
const folder = newFolder();
const settings = {
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: databaseUrl(database, proxy.address),
  ADMIN_PASSWORD: admin.password,
  LOG_LEVEL: 'fatal',
  RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
};

let server = await ServerProcess.startServing(settings, folder);
let remote = new Remote(server.address as string);
const { classId, token } = await openRemoteSchool(remote, admin);
const headers = { authorization: `Bearer ${token}` };
const made = await remote.call('POST', '/api/v1/students', {
  body: {
    classId,
    batch: Array.from({ length: 6 }, (_, i) => ({ username: `student ${i}` })),
    defaultPassword: 'secret-password',
  },
  headers,
});
const students = (made.data as { details: { id: number }[] }).details.map(({ id }) => id);
const given: Given[] = [];

afterAll(async () => {
  remote.close();
  if (!server.hasEnded) await server.stop();
  await proxy.close();
  await removeFolder(folder);
});

/** Sends a request and returns whether its result is final; otherwise it may be repeated. */
async function send(one: Given): Promise<boolean> {
  const options = { body: one.body, headers: { ...headers, 'idempotency-key': one.key } };
  const answer = await remote.call('POST', '/api/v1/scores', options).catch(() => null);
  if (answer === null || [409, 503].includes(answer.status)) return false;
  one.answer = answer;
  return true;
}

async function work(until: () => boolean): Promise<void> {
  while (!until()) {
    const name = `n${given.length}`;
    const userId = students[given.length % students.length] as number;
    const one = { body: { userId, scoreChange: 1, description: name }, key: name, answer: null };
    given.push(one);
    await send(one);
  }
}

async function records(): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (let page = 1; ; page++) {
    const { data } = await remote.call('GET', `/api/v1/scores?sortBy=id&order=asc&limit=100&page=${page}`, {
      headers,
    });
    const { list } = data as { list: { id: number; description: string }[] };
    for (const { id, description } of list) found.set(description, [...(found.get(description) ?? []), id]);
    if (list.length < 100) return found;
  }
}

const ends: Record<string, () => Promise<void>> = {
  'the sessions of the database are ended': () =>
    withClient({ ...inject('postgres'), database }, async (client) => {
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'classledger' AND pid <> pg_backend_pid()`);
    }),
  'the server is killed': async () => {
    await server.kill();
  },
};

describe('a batch that was sent while the previous COMMIT had no answer', () => {
  const cases = Object.keys(ends).flatMap((end) =>
    (['before the commit', 'after the commit'] as const).map((at) => [end, at] as [string, CutMoment]),
  );

  it.each(cases)('is neither lost nor done twice when %s %s', async (end, at) => {
    const first = given.length;
    let over = false;
    const silenced = proxy.silenceOverlap(at);
    const working = Promise.all(Array.from({ length: workers }, () => work(() => over)));
    await silenced;
    over = true;
    await ends[end]?.();
    await working;
    const open = given.slice(first).filter((one) => one.answer === null);
    expect(open.length).toBeGreaterThan(0);
    if (server.hasEnded) {
      remote.close();
      server = await ServerProcess.startServing(settings, folder);
      remote = new Remote(server.address as string);
    }
    for (const one of open) await eventually('the key is free', () => send(one));

    const found = await records();
    expect(found.size).toBe(given.length);
    for (const { answer, key } of given) {
      const { details } = (answer as RemoteAnswer).data as { details: { logId: number }[] };
      expect([key, found.get(key)]).toEqual([key, details.map(({ logId }) => logId)]);
    }
    const replays = open.filter((one) => one.answer?.headers['idempotency-replayed'] === 'true');
    expect(replays.length > 0).toBe(at === 'after the commit');
  });

  it('leaves totals that follow from the ledger', async () => {
    const proof = new ServerProcess(settings, folder, 'verify');
    expect(await proof.ended).toEqual({ code: 0, signal: null });
    expect(proof.stdout).toMatch(/all totals follow from the ledger/);
  });
});
