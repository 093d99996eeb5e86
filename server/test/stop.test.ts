import { createConnection } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { eventually } from './eventually.ts';
import { createDatabase, databaseUrl, dropDatabase } from './own-database.ts';
import { openRemoteSchool, Remote, type RemoteAnswer } from './remote.ts';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';

const admin = { username: 'admin', password: 'correct horse battery' };
const folder = newFolder();
let database: string;
let db: pg.Client;
let settings: Record<string, string>;
let server: ServerProcess;
let remote: Remote;
let token: string;
let userId: number;

const start = async () => {
  server = await ServerProcess.serving(settings, folder);
  remote = new Remote(server.address as string);
};

const headers = () => ({ authorization: `Bearer ${token}` });
const score = (description: string) =>
  remote.call('POST', '/api/v1/scores', {
    body: { userId, scoreChange: 1, description },
    headers: headers(),
  });

async function column(statement: string): Promise<Set<string>> {
  const { rows } = await db.query({ text: statement, rowMode: 'array' });
  return new Set(rows.map(([value]) => String(value)));
}

const storedDescriptions = () => column('SELECT description FROM score_record WHERE live');
const auditedIds = () => column('SELECT request_id FROM audit_record');

/** Whether the address accepts new connections. */
function listens(): Promise<boolean> {
  const { hostname, port } = new URL(server.address as string);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

beforeAll(async () => {
  database = await createDatabase('migrated');
  settings = {
    DATABASE_URL: databaseUrl(database),
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'error',
    RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
  };
  db = new pg.Client({ ...inject('postgres'), database });
  await db.connect();
  await start();
  const school = await openRemoteSchool(remote, admin);
  token = school.token;
  const made = await remote.call('POST', '/api/v1/students', {
    body: { username: 'student', classId: school.classId, password: 'secret-password' },
    headers: headers(),
  });
  userId = (made.data as { id: number }).id;
});

beforeEach(async () => {
  if (server.hasEnded) await start();
});

afterEach(async () => {
  remote.close();
  if (!server.hasEnded) await server.kill();
});

afterAll(async () => {
  await db.end();
  await dropDatabase(database);
  await removeFolder(folder);
});

describe.each(['SIGTERM', 'SIGINT'] as const)('a server that is stopped by %s', (signal) => {
  it('answers what is in flight, takes nothing new, and exits with 0', async () => {
    const held = new pg.Client({ ...inject('postgres'), database });
    await held.connect();
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM student WHERE id = $1 FOR UPDATE', [userId]);
    // Each of them holds a session of its own that waits for the student, so all of them have arrived.
    const renamings = Array.from({ length: 8 }, (_, i) => {
      const body = { actualName: `${signal} ${i}` };
      return remote.call('PATCH', `/api/v1/students/${userId}`, { body, headers: headers() });
    });
    const inFlight = [score(`${signal} in flight`), ...renamings];
    await eventually('every request waits for the student', async () => {
      const { rows } = await db.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0].n === inFlight.length;
    });
    server.signal(signal);
    await eventually('no connection is accepted', async () => !(await listens()));
    expect(server.hasEnded).toBe(false);
    await held.query('ROLLBACK');
    await held.end();

    const answers = await Promise.all(inFlight);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, code: 0 });
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const [stored, audited] = [await storedDescriptions(), await auditedIds()];
    expect(stored).toContain(`${signal} in flight`);
    for (const { requestId } of answers) expect(audited).toContain(requestId);
    expect(server.stderr).toBe('');
  });

  it('finishes and audits the work of a caller who has gone, and exits with 0', async () => {
    const held = new pg.Client({ ...inject('postgres'), database });
    await held.connect();
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM student WHERE id = $1 FOR UPDATE', [userId]);
    const gone = new AbortController();
    const agent = `${signal} gone`;
    const call = fetch(`${server.address}/api/v1/scores`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify({ userId, scoreChange: 1, description: agent }),
      signal: gone.signal,
    }).catch(() => null);
    await eventually('the request waits for the student', async () => {
      const { rows } = await db.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0].n === 1;
    });
    gone.abort();
    expect(await call).toBeNull();
    server.signal(signal);
    await eventually('no connection is accepted', async () => !(await listens()));
    await held.query('ROLLBACK');
    await held.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await storedDescriptions()).toContain(agent);
    expect(await column('SELECT user_agent FROM audit_record')).toContain(agent);
    expect(server.stderr).toBe('');
  });

  it('under load has every acknowledged request in the ledger and in the audit log', async () => {
    const acknowledged: { name: string; answer: RemoteAnswer }[] = [];
    const callers = Array.from({ length: 8 }, async (_, i) => {
      for (let n = 0; n < 100_000; n++) {
        const name = `${signal} load ${i}.${n}`;
        const answer = await score(name).catch(() => null);
        if (!answer) return;
        acknowledged.push({ name, answer });
      }
    });
    await eventually('the load runs', () => acknowledged.length > 200);
    server.signal(signal);
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
});

describe('the audit log of a server that is killed', () => {
  it('has what was answered 250 ms before', async () => {
    // A busy machine may hold up one answer, not every one of them.
    for (let attempt = 0; attempt < 20; attempt++) {
      const answer = await score(`killed ${attempt}`);
      const answeredAt = performance.now();
      await eventually('the answer is audited', async () => (await auditedIds()).has(answer.requestId));
      if (performance.now() - answeredAt < 250) return;
    }
    throw new Error('No answer was audited within 250 ms');
  });
});
