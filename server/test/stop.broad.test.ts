import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import { closeOpenConnections, HalfOpenConnection } from './half-open-connection.ts';
import { LockedRows } from './locked-rows.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { headersOf, openRemoteSchool, Remote, type RemoteAnswer, signInAt } from './remote.ts';
import type { ServerProcess } from './server-process.ts';
import { openClient } from './with-client.ts';

const admin = { username: 'admin', password: 'correct horse battery' };
const { run, startServing } = processes({
  ADMIN_PASSWORD: admin.password,
  LOG_LEVEL: 'error',
  RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
  // Longer than any test, so no test ends by this limit.
  STOP_SECONDS: '600',
});
let database: string;
let db: pg.Client;
let server: ServerProcess;
let remote: Remote;
let token: string;
let userId: number;

const start = async (more: Record<string, string> = {}) => {
  server = await startServing({ DATABASE_URL: databaseUrl(database), ...more });
  remote = new Remote(server.address as string);
};

const headers = () => headersOf(token);
const score = (description: string, more: Record<string, string> = {}) =>
  remote.call('POST', '/api/v1/scores', {
    body: { userId, scoreChange: 1, description },
    headers: { ...headers(), ...more },
  });
const rename = (actualName: string, more: Record<string, string> = {}) =>
  remote.call('PATCH', `/api/v1/students/${userId}`, {
    body: { actualName },
    headers: { ...headers(), ...more },
  });

async function column(statement: string): Promise<Set<string>> {
  const { rows } = await db.query({ text: statement, rowMode: 'array' });
  return new Set(rows.map(([value]) => String(value)));
}

const storedDescriptions = () => column('SELECT description FROM score_record WHERE live');
const auditedIds = () => column('SELECT request_id FROM audit_record');

const holdStudent = () =>
  LockedRows.ofStudent({ databaseTarget: { ...inject('postgres'), database } }, userId);

const opened = (bytes = '') => new HalfOpenConnection(Number(new URL(server.address as string).port), bytes);

const refusesConnections = () =>
  eventually('no connection is accepted', async () => {
    const { socket } = opened();
    const isOpen = await once(socket, 'connect').catch(() => null);
    socket.destroy();
    return isOpen === null;
  });

beforeAll(async () => {
  database = await createDatabase('migrated');
  db = await openClient({ ...inject('postgres'), database });
  await start();
  const school = await openRemoteSchool(remote, admin, 1);
  token = school.token;
  [userId] = school.studentIds as [number];
});

afterEach(() => {
  remote.close();
  closeOpenConnections();
});
afterAll(() => db.end());

describe('a server that is stopped', () => {
  it('keeps every acknowledged request in the ledger and the audit log, which lags by 250 ms at most', async () => {
    const isAudited = async (id: string) =>
      (await db.query('SELECT FROM audit_record WHERE request_id = $1', [id])).rowCount === 1;
    let attempt = 0;
    // A busy machine may delay one answer, but not all of them.
    await eventually('an answer is audited within 250 ms', async () => {
      const { requestId } = await score(`audited ${attempt++}`);
      const answeredAt = performance.now();
      await eventually('the answer is audited', () => isAudited(requestId));
      return performance.now() - answeredAt < 250;
    });

    const acknowledged: { name: string; answer: RemoteAnswer }[] = [];
    const callers = Array.from({ length: 8 }, async (_, i) => {
      for (let n = 0; n < 100_000; n++) {
        const name = `load ${i}.${n}`;
        const answer = await score(name).catch(() => null);
        if (!answer) return;
        acknowledged.push({ name, answer });
      }
    });
    await eventually('the load runs', () => acknowledged.length > 200);
    server.signal('SIGTERM');
    await Promise.all(callers);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    for (const { answer } of acknowledged) expect(answer).toMatchObject({ status: 200, code: 0 });
    const [stored, audited] = [await storedDescriptions(), await auditedIds()];
    expect(acknowledged.filter(({ name }) => !stored.has(name))).toEqual([]);
    expect(acknowledged.filter(({ answer }) => !audited.has(answer.requestId))).toEqual([]);
    const uses = await db.query('SELECT call_count AS calls FROM api_token');
    const records = await db.query('SELECT count(*) AS calls FROM audit_record WHERE token_id IS NOT NULL');
    expect(uses.rows).toEqual(records.rows);
    expect(server.stderr).toBe('');
  });

  const head = (path: string, headers: string) =>
    `${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${headers}`;

  it('finishes active requests, also for slow readers and disconnected callers, but waits neither for rests of requests nor for idle connections', async () => {
    await start();
    // More than the system buffers for a server at once.
    await db.query(`INSERT INTO announcement (title, content, type, active, created_at, updated_at)
      SELECT 'Long', repeat('x', 50000), 'info', true, now(), now() FROM generate_series(1, 60)`);
    const asked = request(`${server.address}/api/announcements`);
    const answer = new Promise<IncomingMessage>((resolve) => asked.once('response', resolve));
    asked.end();
    const readSlowly = await answer;
    const held = await holdStudent();
    // Each of these requests waits in a session of its own, so all have arrived.
    const renamings = Array.from({ length: 5 }, (_, i) => rename(`Name ${i}`));
    const inFlight = [score('in flight'), ...renamings];
    const gone = new AbortController();
    const call = fetch(`${server.address}/api/v1/scores`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json', 'user-agent': 'gone' },
      body: JSON.stringify({ userId, scoreChange: 1, description: 'gone' }),
      signal: gone.signal,
    }).catch(() => null);
    await held.waitUntilWaiting(inFlight.length + 1);
    gone.abort();
    expect(await call).toBeNull();
    const half =
      'Content-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\nUser-Agent: half a body\r\n\r\n{';
    const unfinished = [
      opened('POST /api/v1/sco'),
      opened(head('POST /api/v1/scores', 'Content-Type: application/json\r\nContent-')),
      opened(head('POST /api/v1/scores', half)),
      opened('POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n'),
      opened(head('GET /api/v1/ping', '\r\n')),
      opened(),
    ];
    const [, , halfBody, , whole] = unfinished;
    await eventually('the half body is waited for', () => halfBody?.received !== '');
    await eventually('the whole request is answered', () => whole?.received !== '');
    server.signal('SIGHUP');
    await refusesConnections();
    await eventually('they are closed', () => unfinished.every(({ ended }) => ended));
    expect(server.hasEnded).toBe(false);
    await held.release();

    const answers = await Promise.all(inFlight);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, code: 0 });
    const { data } = (await json(readSlowly)) as { data: unknown };
    expect(data).toHaveLength(60);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const [stored, audited] = [await storedDescriptions(), await auditedIds()];
    for (const description of ['in flight', 'gone']) expect(stored).toContain(description);
    for (const { requestId } of answers) expect(audited).toContain(requestId);
    const agents = await column('SELECT user_agent FROM audit_record');
    for (const agent of ['gone', 'half a body']) expect(agents).toContain(agent);
    expect(server.stderr).toBe('');
  });

  it('serves while it drains, announces the stop, and stops on a second signal', async () => {
    await start({ DRAIN_SECONDS: '600' });
    await eventually('it is ready', async () => (await fetch(`${server.address}/readyz`)).status === 200);
    server.signal('SIGTERM');
    await eventually('it is not ready', async () => (await fetch(`${server.address}/readyz`)).status === 503);
    const notReadyAt = performance.now();
    for (const path of ['/healthz', '/api/v1/ping', '/api/announcements', '/', '/nowhere']) {
      const answer = await fetch(server.address + path, { headers: headers() });
      expect([path, answer.headers.get('connection')]).toEqual([path, 'close']);
      await answer.text();
    }
    const { requestId } = await score('while draining');
    await eventually('a second has passed', () => performance.now() > notReadyAt + 1_000);
    server.signal('SIGINT');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await auditedIds()).toContain(requestId);
  });

  it('refuses connections after the drain, then cuts off and audits late requests, and drops unread answers', async () => {
    await start({ DRAIN_SECONDS: '1', STOP_SECONDS: '1' });
    const unread = opened(head('GET /api/v1/openapi.json', '\r\n').repeat(200));
    await eventually('the answers begin', () => unread.received !== '');
    unread.socket.pause();
    const held = await holdStudent();
    onTestFinished(() => held.release());
    const agent = 'cut off';
    const named = { 'user-agent': agent };
    const calls = Array.from({ length: 15 }, (_, i) => [score(agent, named), rename(`Cut ${i}`, named)]);
    const waiting = calls.flat().map((call) => call.catch(() => null));
    await held.waitUntilWaiting(2);
    // This request came last, so all others have been read.
    expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
    server.signal('SIGTERM');
    await refusesConnections();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    unread.socket.resume();
    await eventually('it is closed', () => unread.ended);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => null));
    expect(await storedDescriptions()).not.toContain(agent);
    const { rows } = await db.query(
      'SELECT status_code AS status, count(*)::int AS calls FROM audit_record WHERE user_agent = $1 GROUP BY 1',
      [agent],
    );
    expect(rows).toEqual([{ status: 503, calls: waiting.length }]);
  });

  it('is not delayed by a database that no longer answers', async () => {
    const proxy = await DatabaseProxy.start(inject('postgres'));
    onTestFinished(() => proxy.close());
    await start({
      DATABASE_URL: databaseUrl(database, proxy.address),
      STOP_SECONDS: '1',
      LOG_LEVEL: 'fatal',
    });
    expect((await score('before the silence')).status).toBe(200);
    proxy.mute();
    const waiting = [score('silent'), score('silent')].map((call) => call.catch(() => null));
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await Promise.all(waiting)).toEqual([null, null]);
  });

  it('logs only the number of requests that it cut off', async () => {
    await start({ STOP_SECONDS: '1', LOG_LEVEL: 'warn' });
    const { asAdmin } = await signInAt(remote, admin);
    const held = await LockedRows.selectedBy(
      { databaseTarget: { ...inject('postgres'), database } },
      'LOCK TABLE school',
    );
    const listed = asAdmin('GET', '/schools').catch(() => null);
    await held.waitUntilWaiting(1);
    server.signal('SIGTERM');
    await eventually('all of its connections are closed but the one that waits', async () => {
      const { rows } = await db.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'classledger%'",
      );
      return rows[0].n <= 1;
    });
    // The held statement is answered, but the next one finds no connection.
    await held.release();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await listed).toBeNull();
    expect(server.logged).toEqual([expect.objectContaining({ msg: 'cut off by the stop', requests: 1 })]);
  });

  it('exits although it is waiting to migrate the schema', async () => {
    const empty = await createDatabase('empty');
    const other = await openClient({ ...inject('postgres'), database: empty });
    await other.query('SELECT pg_advisory_lock(3853314791062309107)');
    const starting = run({ PORT: '0', DATABASE_URL: databaseUrl(empty) });
    await eventually('it waits for the other', async () => {
      const { rows } = await other.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0].n === 1;
    });
    starting.signal('SIGTERM');
    expect(await starting.ended).toEqual({ code: 0, signal: null });
    expect(starting.stdout + starting.stderr).toBe('');
    await other.end();
  });
});
