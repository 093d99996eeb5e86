import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { generateToken } from '../src/access/token.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import { LockedRows } from './locked-rows.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { freePort, type ServerProcess } from './server-process.ts';
import { withClient } from './with-client.ts';

const { folder, run, startServing } = processes({ PORT: '0', LOG_LEVEL: 'error' });

const adminLine = /^First administrator: (\S+) with password (\S+) \(shown this once\)$/m;

async function status(server: ServerProcess, path: string): Promise<number> {
  return (await fetch(`${server.address}${path}`)).status;
}

/** The server reports readiness within two seconds; a busy machine may need longer. */
const isReady = (server: ServerProcess) =>
  eventually('it is ready', async () => (await status(server, '/readyz')) === 200);

async function onlyRow(database: string, query: string): Promise<Record<string, unknown>> {
  const { rows } = await withClient({ ...inject('postgres'), database }, (client) => client.query(query));
  expect(rows).toHaveLength(1);
  return rows[0];
}

const administrators = async (database: string) =>
  (await onlyRow(database, 'SELECT count(*)::int AS n FROM admin')).n;

it('two processes that start at once on an empty database migrate it once, create one administrator, print the password once, and both serve', async () => {
  const database = await createDatabase('empty');
  const settings = { DATABASE_URL: databaseUrl(database), ADMIN_USERNAME: 'head' };
  const servers = [run(settings), run(settings)];
  await Promise.all(servers.map((server) => server.ready()));
  await eventually('the password is printed', () => servers.some((server) => adminLine.test(server.stdout)));
  expect(await administrators(database)).toBe(1);
  const output = servers.map(({ stdout }) => stdout).join('');
  const [, username = '', password = ''] = adminLine.exec(output) ?? [];
  expect(username).toBe('head');
  expect(output.split(password)).toHaveLength(2);
  for (const server of servers) {
    expect(server.stdout).toMatch(/^Classledger is ready at /);
    expect(await server.login(username, password)).toBe(200);
    await isReady(server);
  }
  const ended = await Promise.all(servers.map((server) => server.stop()));
  expect(ended).toEqual(servers.map(() => ({ code: 0, signal: null })));
  for (const server of servers) expect(server.stderr).toBe('');
});

it('the first administrator is not created by a failed start, and gets ADMIN_PASSWORD, which is never printed', async () => {
  const database = await createDatabase('migrated');
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const failed = run({ DATABASE_URL: databaseUrl(database), PORT: String(port) });
  expect(await failed.ended).toEqual({ code: 1, signal: null });
  expect([failed.stdout, failed.errorLines]).toEqual([
    '',
    [expect.stringMatching(new RegExp(`address already in use.*${port}`))],
  ]);
  // The password of that administrator would be lost.
  expect(await administrators(database)).toBe(0);
  const password = 'correct horse battery';
  const settings = { DATABASE_URL: databaseUrl(database), ADMIN_PASSWORD: password, LOG_LEVEL: 'trace' };
  const server = await startServing(settings);
  expect(await server.login('admin', password)).toBe(200);
  expect(await server.login('admin', 'something else')).toBe(401);
  const { password_hash: hash } = await onlyRow(database, 'SELECT password_hash FROM admin');
  expect(hash, 'argon2id with 19 MiB, two passes and one lane').toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  );
  await server.stop();
  expect(server.stdout + server.stderr).not.toContain(password);
  expect(server.stdout + server.stderr).not.toContain('something else');
});

it('a server whose database goes away answers 200 at /healthz and 503 at /readyz meanwhile, and serves again when it is back', async () => {
  const database = await createDatabase('migrated');
  const target = inject('postgres');
  const port = await freePort();
  let proxy = await DatabaseProxy.start(target, port);
  const began = performance.now();
  const [DATABASE_URL, ADMIN_PASSWORD] = [databaseUrl(database, proxy.address), 'correct horse battery'];
  const server = await startServing({ DATABASE_URL, ADMIN_PASSWORD });
  for (let round = 0; round < 2; round++) {
    await isReady(server);
    // Cuts some connections during their work and others while they are idle.
    const databaseTarget = { ...target, database };
    const held = await LockedRows.selectedBy({ databaseTarget }, 'LOCK TABLE api_token');
    const headers = { 'x-api-token': generateToken('cls') };
    const calls = Array.from({ length: 4 }, () => fetch(`${server.address}/api/v1/ping`, { headers }));
    await held.waitUntilWaiting(calls.length);
    await proxy.close();
    await held.release();
    expect(await status(server, '/readyz')).toBe(503);
    expect(await status(server, '/healthz')).toBe(200);
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(503);
    expect(await server.login('admin', 'correct horse battery')).toBe(503);
    proxy = await DatabaseProxy.start(target, port);
    await isReady(server);
    expect(await server.login('admin', 'correct horse battery')).toBe(200);
  }
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  await proxy.close();
  // Two outages hit many calls, but the log has one line a minute, without a stack.
  const [first, ...others] = server.errorLines;
  expect(first).toMatch(/"msg":"The database is unreachable; repeats are counted/);
  for (const line of others) expect(line).toMatch(/"msg":"The database is unreachable; /);
  expect(others.length).toBeLessThanOrEqual((performance.now() - began) / 60_000);
  expect(server.stderr).not.toContain('stack');
});

it('a server with an embedded database lets no second start in, and exits with 1 if its database is killed, even while calls wait to be audited', async () => {
  const settings = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: 'correct horse battery' };
  const server = await startServing(settings);
  const second = run(settings);
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stdout).toBe('');
  expect(second.errorLines).toEqual([expect.stringMatching(/data folder .* is in use by another running/)]);
  await isReady(server);
  expect(await server.login('admin', settings.ADMIN_PASSWORD)).toBe(200);

  const postmaster = readFileSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8');
  let stopped = false;
  const calls = Array.from({ length: 4 }, async () => {
    while (!stopped) await status(server, '/api/v1/ping').catch(() => 0);
  });
  process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
  expect(await server.ended).toEqual({ code: 1, signal: null });
  stopped = true;
  await Promise.all(calls);
  expect(server.stderr).toMatch(/^The embedded database has stopped: ./m);
});
