import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { serveWithWorkers } from '../src/commands/serve-with-workers.ts';
import { StopRequest } from '../src/commands/stop-request.ts';
import { readConfig } from '../src/config/config.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import { LockedRows } from './locked-rows.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { headersOf, openRemoteSchool, Remote, signInAt } from './remote.ts';
import { freePort, newFolder, removeFolder, ServerProcess } from './server-process.ts';

/** Several processes on one port keep the promises of one process (docs/operations.md, Workers). */

const admin = { username: 'admin', password: 'correct horse battery' };
const metricsToken = 'the-token-of-the-operator';
const folder = newFolder();
let server: ServerProcess;
let remote: Remote;
let proxy: DatabaseProxy;
let database: string;
let settings: Record<string, string>;
let cookie: string;
let school: Awaited<ReturnType<typeof openRemoteSchool>>;

const databaseOfServer = () => ({ databaseTarget: { ...inject('postgres'), database } });

const isAlive = (pid: number) => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

function connections(count = 8): Remote[] {
  const all = Array.from({ length: count }, () => new Remote(server.address as string));
  onTestFinished(() => {
    for (const each of all) each.close();
  });
  return all;
}

/** Repeats a request until it takes less than `ms`; a busy machine may exceed a limit of the server. */
async function inTime<T>(ms: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const began = performance.now();
    const answer = await ask();
    if (performance.now() - began < ms) return answer;
  }
}

const ping = (by: Remote, token: string) => by.call('GET', '/api/v1/ping', { headers: headersOf(token) });

async function scrape() {
  const headers = { authorization: `Bearer ${metricsToken}`, connection: 'close' };
  const text = await inTime(2_000, async () =>
    (await fetch(`${server.address}/metrics`, { headers })).text(),
  );
  const lines = text.split('\n');
  const value = (name: string) =>
    Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
  return {
    pings: value('classledger_requests_total{door="external",operation="ping",code="200"}'),
    up: value('classledger_database_up'),
    started: value('process_start_time_seconds'),
    ended: value('classledger_workers_ended_total'),
  };
}

const listSchools = (by: Remote) => by.call('GET', '/api/schools', { headers: { cookie } });

/** Keeps several connections busy without taking the processor from the workers. */
const betweenCallsMs = 100;

/** Lists schools over several connections until it is ended, and counts answers and failures. */
async function startLoad() {
  let goesOn = true;
  const counts = connections().map((by) => ({ by, answered: 0, failed: [] as unknown[] }));
  const done = counts.map(async (count) => {
    while (goesOn) {
      await listSchools(count.by).then(
        ({ status }) => (status === 200 ? count.answered++ : count.failed.push(status)),
        (error) => count.failed.push(error),
      );
      await pause(betweenCallsMs);
    }
  });
  const fiveMoreAnswers = () => {
    const before = counts.map(({ answered }) => answered);
    return eventually('all are answered', () =>
      counts.every(({ answered }, i) => answered >= (before[i] as number) + 5),
    );
  };
  await fiveMoreAnswers();
  return {
    fiveMoreAnswers,
    endWithFailures: async () => {
      goesOn = false;
      await Promise.all(done);
      return counts.map(({ failed }) => failed);
    },
  };
}

beforeAll(async () => {
  database = await createDatabase('migrated');
  proxy = await DatabaseProxy.start(inject('postgres'));
  settings = {
    DATABASE_URL: databaseUrl(database),
    DATABASE_LISTEN_URL: databaseUrl(database, proxy.address),
    ADMIN_PASSWORD: admin.password,
    // Port 0 would be another one after all workers have died.
    PORT: String(await freePort()),
    METRICS_TOKEN: metricsToken,
    WORKERS: '2',
    UV_THREADPOOL_SIZE: '5',
    STOP_SECONDS: '1',
    LOG_LEVEL: 'info',
  };
  server = await ServerProcess.startServing(settings, folder);
  remote = new Remote(server.address as string);
  school = await openRemoteSchool(remote, admin);
  ({ cookie } = await signInAt(remote, admin));
});

afterAll(async () => {
  if (!server.hasEnded) await server.kill();
  await proxy.close();
  await removeFolder(folder);
});

describe('a server of two workers', () => {
  it('has one parent, two workers and one start-up line', () => {
    expect(server.children).toHaveLength(2);
    expect(server.stdout).toBe(`Classledger is ready at ${server.address}\n`);
    expect(server.stderr.match(/"event":"started"/g)).toHaveLength(1);
    for (const pid of server.children)
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain('UV_THREADPOOL_SIZE=5');
  });

  it('refuses the next call over any connection after a credential is disabled', async () => {
    const credential = await school.issue();
    const by = connections();
    for (const each of by) expect((await ping(each, credential.token)).code).toBe(0);
    // Cached credentials stay valid for a second, and no notification arrives.
    proxy.silenceListeners();
    const changed = await school.asAdmin('PATCH', `/api-tokens/${credential.id}`, { disabled: true });
    expect(changed.status).toBe(200);
    for (const each of by) expect((await ping(each, credential.token)).code).toBe(40103);
  });

  it('disables a credential although one worker hangs, and that worker refuses it afterwards', async () => {
    const credential = await school.issue();
    const by = connections();
    const calls = () => Promise.all(by.map((each) => ping(each, credential.token)));
    for (const { code } of await calls()) expect(code).toBe(0);
    const [worker] = server.children as [number];
    process.kill(worker, 'SIGSTOP');
    const tries = connections().map((each) =>
      each.call('PATCH', `/api/api-tokens/${credential.id}`, {
        body: { disabled: true },
        headers: { cookie },
      }),
    );
    expect((await Promise.any(tries)).status).toBe(200);
    process.kill(worker, 'SIGCONT');
    for (const { code } of await calls()) expect(code).toBe(40103);
    await Promise.all(tries);
  });

  it('reports the sum of all workers in each scrape of /metrics', async () => {
    const credential = await school.issue();
    const by = connections();
    const before = await scrape();
    for (const each of by) await ping(each, credential.token);
    for (let n = 0; n < 3; n++)
      expect(await scrape()).toEqual({ ...before, pings: before.pings + by.length });
    expect(before).toMatchObject({ up: 1, ended: 0 });
    expect(before.started).toBeGreaterThan(0);
  });

  it('shows the latest calls of all workers in the API call log', async () => {
    const by = connections();
    const { answers, log } = await inTime(3_000, async () => {
      const { id, token } = await school.issue();
      const answers = await Promise.all(by.map((each) => ping(each, token)));
      return { answers, log: await school.asAdmin('GET', `/api-tokens/logs?tokenId=${id}`) };
    });
    const logged = (log.data as { list: { requestId: string }[] }).list.map(({ requestId }) => requestId);
    expect(logged.toSorted()).toEqual(answers.map(({ requestId }) => requestId).toSorted());
  });

  it('replaces a killed worker with the same settings, and keeps the connections of the other', async () => {
    const [killed, other] = server.children as [number, number];
    const by = connections();
    const listAll = () => Promise.allSettled(by.map(listSchools));
    const answered = by.map(() => ({ status: 'fulfilled', value: { status: 200 } }));
    expect(await listAll()).toMatchObject(answered);
    const counted = await scrape();
    const lines = `${folder}/.env`;
    writeFileSync(lines, 'HOST=added-since-the-start.invalid');
    onTestFinished(() => rmSync(lines));
    const held = await LockedRows.selectedBy(databaseOfServer(), 'LOCK TABLE school');
    const calls = listAll();
    await held.waitUntilWaiting(1);
    process.kill(killed, 'SIGKILL');
    await eventually('it has ended', () => server.stderr.includes('"event":"workerEnded"'));
    await held.release();
    // Its active requests fail once; the next call uses another connection.
    const failed = (await calls).flatMap((call) => (call.status === 'rejected' ? call.reason : []));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(by.length);
    for (const error of failed) expect(error).toMatchObject({ code: 'ECONNRESET' });
    await eventually('it is replaced', () => server.stderr.includes('"event":"workerStarted"'));
    expect(await listAll()).toMatchObject(answered);
    expect(server.children).toHaveLength(2);
    expect(server.children).toContain(other);
    // The metrics keep the counts of the killed worker.
    expect(await scrape()).toEqual({ ...counted, ended: 1 });
    expect(server.stderr).toMatch(new RegExp(`"event":"workerEnded","worker":${killed},"how":"SIGKILL"`));
  });

  it('replaces its workers one by one on SIGUSR2 without a failed request', async () => {
    const before = server.children;
    remote.close();
    const running = await startLoad();
    server.signal('SIGUSR2');
    await eventually('they are exchanged', () => server.stderr.includes('"event":"exchanged"'));
    await running.fiveMoreAnswers();
    expect((await running.endWithFailures()).flat()).toEqual([]);
    expect(server.children).toHaveLength(2);
    expect(server.children.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('refuses connections after all workers have died, until new ones serve', async () => {
    const started = () => server.stderr.match(/"workerStarted"/g)?.length ?? 0;
    const before = started();
    // Keeps new workers from serving.
    const held = await LockedRows.selectedBy(databaseOfServer(), 'LOCK TABLE kysely_migration');
    for (const pid of server.children) process.kill(pid, 'SIGKILL');
    await held.waitUntilWaiting(2);
    for (const each of connections())
      await expect(listSchools(each)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await held.release();
    await eventually('there are two again', () => started() === before + 2);
    for (const each of connections()) expect((await listSchools(each)).status).toBe(200);
  });

  it('answers requests in time on a stop, cuts off the rest, and leaves no process', async () => {
    const workers = server.children;
    const running = await startLoad();
    const held = await LockedRows.ofClass(databaseOfServer(), school.classId);
    const body = { schoolDb: school.schoolDb, name: 'Class B' };
    const renamed = school.asAdmin('PATCH', `/classes/${school.classId}`, body).catch(() => null);
    await held.waitUntilWaiting(1);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await renamed).toBeNull();
    await held.release();
    // A refused or reset connection is fine; an error answer is not.
    for (const failed of (await running.endWithFailures()).flat())
      expect((failed as NodeJS.ErrnoException).code).toMatch(/^ECONN/);
    expect(workers.filter(isAlive)).toEqual([]);
    const errors = server.errorLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(errors).toHaveLength(3);
    for (const error of errors) expect(error).toMatchObject({ event: 'workerEnded', how: 'SIGKILL' });
  });
});

describe('workers', () => {
  it('that cannot start end the server with one line and exit code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await eventually('it listens', () => taken.listening);
    const { port } = taken.address() as { port: number };
    const failing = new ServerProcess({ ...settings, PORT: String(port) }, folder);
    expect(await failing.ended).toEqual({ code: 1, signal: null });
    expect(failing.stdout).toBe('');
    expect(failing.errorLines).toEqual([expect.stringContaining('EADDRINUSE')]);
  });

  it('are refused if the embedded database has too few connections', async () => {
    const config = readConfig({ DATA_DIR: `${folder}/data`, WORKERS: '10' });
    const stop = new StopRequest(() => 0);
    onTestFinished(() => stop.end());
    // The stop keeps workers from starting if the check fails.
    stop.request('by the test');
    await expect(serveWithWorkers(config, 10, stop)).rejects.toThrow(
      /^WORKERS=10 .* 110 connections .* takes 100/,
    );
  });

  it('share the embedded database and end with a killed parent, and the next start keeps the data', async () => {
    const own = {
      ADMIN_PASSWORD: admin.password,
      WORKERS: '2',
      DATA_DIR: `${folder}/data`,
      LOG_LEVEL: 'warn',
    };
    const first = await ServerProcess.startServing(own, folder);
    const workers = first.children;
    expect(workers).toHaveLength(3);
    const { schoolDb } = await openRemoteSchool(new Remote(first.address as string), admin);
    await first.kill();
    const next = new ServerProcess({ PORT: '0', ...own }, folder);
    // SIGUSR2 before any worker exists must not end the parent before its database.
    await eventually('the database is started', () => next.children.length > 0);
    next.signal('SIGUSR2');
    await next.ready();
    await eventually('the workers are gone', () => workers.filter(isAlive).length <= 1);
    const session = await signInAt(new Remote(next.address as string), admin);
    expect(await session.data('GET', '/schools')).toMatchObject([{ schoolDb }]);
    expect(await next.stop()).toEqual({ code: 0, signal: null });
    expect(next.logged).toEqual([]);
  });
});
