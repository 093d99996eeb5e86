import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, it, vi } from 'vitest';
import { createDatabase, runOnServer } from '../../test/own-database.ts';
import { openConnection } from '../../test/test-app.ts';
import { DatabaseClient, parseDatabaseUrl } from './client.ts';
import { query } from './connect.ts';
import { PrimaryFinder } from './servers.ts';

const database = await createDatabase('empty');

const settings = `SELECT '2026-09-01 08:00:00.12+08'::timestamptz AS instant, '2026-02-01'::date AS day,
  current_setting('idle_in_transaction_session_timeout') AS pause, current_setting('tcp_keepalives_idle') AS keepalive`;

it('database connections read instants and days correctly in any time zone and date style', async () => {
  for (const setting of ["timezone = 'Asia/Shanghai'", "datestyle = 'German'"]) {
    await runOnServer(`ALTER DATABASE ${database} SET ${setting}`);
  }
  const connection = openConnection({ database });
  for (const pool of [connection.pool, connection.background]) {
    const { rows } = await pool.query(settings);
    expect(rows[0]).toMatchObject({
      instant: '2026-09-01T00:00:00.120Z',
      day: '2026-02-01',
      pause: '1min',
    });
  }
});

it('database connections send only start parameters that a pooler accepts', async () => {
  const client = await openConnection({ database }).pool.connect();
  const { getStartupConf } = client as unknown as { getStartupConf(): object };
  expect(Object.keys(getStartupConf.call(client)).sort()).toEqual(
    ['DateStyle', 'TimeZone', 'application_name', 'client_encoding', 'database', 'user'].sort(),
  );
  client.release();
});

it('a connection that breaks while opening fails with an error, and the process continues', async () => {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5, type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const taken = message('R', Buffer.alloc(4));
  const ready = message('Z', Buffer.from('I'));
  const end = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));
  // Simulates a server that stops right after it accepted the connection: its messages arrive together.
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([taken, ready, end])));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const { pool } = openConnection({ database, host: '127.0.0.1', port });
  await expect(pool.query('SELECT 1')).rejects.toThrow();
  server.close();
});

it('a connection that the server ended is not reused, even before the server closes it', async () => {
  const { db } = openConnection({ database });
  for (let n = 0; n < 5; n++) {
    await expect(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db)).rejects.toThrow();
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  }
});

it('a connection stays usable when the time limit of already answered statements passes', async () => {
  const limitMs = 3_600_000;
  const client = await openConnection({ database, query_timeout: limitMs }).acquire();
  // With fake timers, the test decides when the time limit passes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  try {
    for (const [text, answer] of [
      ['SELECT 1 AS one', 'resolves'],
      ['SELECT 1 / 0', 'rejects'],
    ] as const) {
      await expect(query(client, text))[answer].toBeDefined();
    }
    vi.advanceTimersByTime(limitMs);
  } finally {
    vi.useRealTimers();
  }
  expect((await query(client, 'SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
  client.release();
});

it('a database with several servers is reached at the available server', async () => {
  const { host, port, user } = inject('postgres');
  const hosts = `host=${encodeURIComponent(`/nowhere,${host}`)}&port=${port}`;
  const { pool } = openConnection(parseDatabaseUrl(`postgres://${user}@/${database}?${hosts}`));
  expect((await pool.query(settings)).rows).toHaveLength(1);
});

it('a database with several servers times out within one connection timeout, including the search for the primary', async () => {
  const { host = '', port = 0 } = inject('postgres');
  const swallowed = new PrimaryFinder([{ host, port }], () => new Promise(() => {}), 3_600_000);
  const client = new DatabaseClient({ connectionTimeoutMillis: 1, primary: swallowed });
  await expect(client.connect()).rejects.toThrow('timeout');
});
