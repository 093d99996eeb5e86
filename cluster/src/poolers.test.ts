import { afterAll, describe, expect, it } from 'vitest';
import { newFolder, removeFolder, ServerProcess } from '../../server/test/server-process.ts';
import { stopAll } from './daemon.ts';
import { admin, highRateLimits, openSchool, startPooler } from './installation.ts';
import { PostgresServer } from './postgres-server.ts';

/** Defaults that would corrupt times and dates if a connection did not override them. */
const abroad = { timezone: 'Asia/Shanghai', datestyle: 'German, DMY', fsync: 'off' };
const server = await PostgresServer.start('one', abroad);
const pooler = await startPooler(server.port);
const folder = newFolder();
const common = { ...highRateLimits, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', PORT: '0' };
const inTransactionMode = { DATABASE_URL: pooler.transaction, DATABASE_POOLING: 'transaction' };

afterAll(async () => {
  await stopAll();
  await removeFolder(folder);
});

const callsOfLoad = 240;
const callers = 24;

async function mixedLoad(address: string): Promise<string[]> {
  const { remote, headers, classId, studentIds, schoolDb, asAdmin } = await openSchool(address, 12);
  const unexpected: string[] = [];
  let calls = 0;
  const external = (method: string, path: string, body?: object, more = {}) =>
    remote.call(method, `/api/v1${path}`, { headers: { ...headers, ...more }, ...(body && { body }) });
  const student = (n: number) => studentIds[n % studentIds.length] as number;
  const kinds: ((n: number) => Promise<{ status: number; message: string }>)[] = [
    () => external('GET', '/students'),
    () => external('GET', '/students?keyword=student&sortBy=totalScore'),
    () => external('GET', '/scores?sortBy=scoreChange&page=30'),
    (n) => external('GET', `/students/${student(n)}`),
    () => external('GET', '/stats/overview'),
    () => external('GET', '/classes'),
    (n) => external('POST', '/scores', { userId: student(n), scoreChange: 1 }),
    (n) =>
      external('POST', '/scores', { userId: student(n), scoreChange: -1 }, { 'idempotency-key': `${n}` }),
    (n) =>
      external('POST', '/scores', {
        scoreChange: 2,
        items: studentIds.slice(n % 10).map((userId) => ({ userId })),
      }),
    (n) => external('POST', '/templates', { name: `Template ${n}`, scoreChange: 1 }),
    (n) => external('PATCH', `/students/${student(n)}`, { actualName: `Name ${n}` }),
    () => asAdmin('GET', `/users?schoolDb=${schoolDb}`),
    () => asAdmin('GET', `/stats/leaders?schoolDb=${schoolDb}`),
    () => asAdmin('GET', `/api-tokens/logs?schoolDb=${schoolDb}`),
    (n) => asAdmin('PATCH', `/classes/${classId}`, { schoolDb, name: `Class ${n}` }),
    () => asAdmin('GET', `/stats/overview?schoolDb=${schoolDb}`),
  ];
  const call = async (n: number) => {
    const answer = await kinds[n % kinds.length]?.(n);
    if (answer?.status !== 200) unexpected.push(`${n % kinds.length}: ${answer?.status} ${answer?.message}`);
  };
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (calls < callsOfLoad) await call(calls++);
    }),
  );
  await expectTimesRight(external, student(0));
  remote.close();
  return [...new Set(unexpected)];
}

async function expectTimesRight(
  external: (method: string, path: string, body?: object) => Promise<{ data: unknown }>,
  userId: number,
): Promise<void> {
  const before = Date.now();
  await external('POST', '/scores', { userId, scoreChange: 1, description: 'just now' });
  const { data } = await external('GET', `/scores?userId=${userId}&limit=1`);
  const [record] = (data as { list: { description: string; createdAt: string }[] }).list;
  expect(record?.description).toBe('just now');
  const createdAt = Date.parse(record?.createdAt as string);
  expect(createdAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(createdAt).toBeLessThanOrEqual(Date.now() + 1_000);
}

describe('PgBouncer in front of a database with another time zone', () => {
  it('serves mixed load without errors in both pooling modes, keeps times right and revokes credentials within a second', async () => {
    const servers = await Promise.all([
      ServerProcess.startServing(
        { ...common, DATABASE_URL: pooler.session, DATA_DIR: `${folder}/session` },
        folder,
      ),
      ServerProcess.startServing(
        { ...common, ...inTransactionMode, DATABASE_LISTEN_URL: server.url, DATA_DIR: `${folder}/session` },
        folder,
      ),
    ]);
    try {
      const loads = await Promise.all(servers.map(({ address }) => mixedLoad(address as string)));
      expect(loads).toEqual([[], []]);
      for (const { errorLines } of servers) expect(errorLines).toEqual([]);
      await expectRevoked(servers[0]?.address as string, servers[1]?.address as string);
    } finally {
      await Promise.all(servers.map((each) => each.stop()));
    }
  });

  it.each([
    [
      'transaction mode without DATABASE_POOLING',
      { DATABASE_URL: pooler.transaction },
      'set DATABASE_POOLING=transaction',
    ],
    [
      'DATABASE_LISTEN_URL in transaction mode',
      { ...inTransactionMode, DATABASE_LISTEN_URL: pooler.transaction },
      'DATABASE_LISTEN_URL leads through a pooler in transaction mode',
    ],
    ['no DATABASE_LISTEN_URL', inTransactionMode, 'DATABASE_POOLING=transaction needs DATABASE_LISTEN_URL'],
  ])('stops the start with a one-line message: %s', async (_name, settings, line) => {
    const refused = new ServerProcess({ ...common, ...settings }, folder);
    expect(await refused.ended).toMatchObject({ code: 1 });
    expect(refused.errorLines).toEqual([expect.stringContaining(line)]);
  });
});

async function expectRevoked(session: string, transaction: string): Promise<void> {
  for (const [here, there] of [
    [session, transaction],
    [transaction, session],
  ] as const) {
    const { remote, credentialId, headers, asAdmin } = await openSchool(here, 0);
    const ping = async () => (await fetch(`${there}/api/v1/ping`, { headers })).status;
    expect(await ping()).toBe(200);
    await asAdmin('PATCH', `/api-tokens/${credentialId}`, { disabled: true });
    const disabled = performance.now();
    let lastAccepted = disabled;
    for (let at = disabled; (await ping()) !== 401; at = performance.now()) lastAccepted = at;
    expect(lastAccepted - disabled).toBeLessThan(1_000);
    remote.close();
  }
}
