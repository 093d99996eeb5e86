import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { runOnServer } from '../../test/own-database.ts';
import { startTestApp } from '../../test/test-app.ts';
import { DatabaseClient, parseDatabaseUrl } from './client.ts';
import { connectDatabase, type DatabaseConnection } from './connect.ts';
import { PrimaryFinder } from './servers.ts';

const test = await startTestApp();
const open: DatabaseConnection[] = [];

afterAll(() => Promise.all(open.map((connection) => connection.end())));

function connect(target: Parameters<typeof connectDatabase>[0]): DatabaseConnection {
  const connection = connectDatabase(target);
  open.push(connection);
  return connection;
}

const settings = `SELECT '2026-09-01 08:00:00.12+08'::timestamptz AS instant, '2026-02-01'::date AS day,
  current_setting('idle_in_transaction_session_timeout') AS pause, current_setting('tcp_keepalives_idle') AS keepalive`;

describe('Database connections', () => {
  it('database connections read instants and days correctly in any time zone and date style', async () => {
    for (const setting of ["timezone = 'Asia/Shanghai'", "datestyle = 'German'"]) {
      await runOnServer(`ALTER DATABASE ${test.databaseName} SET ${setting}`);
    }
    const connection = connect(test.databaseTarget);
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
    const client = await connect(test.databaseTarget).pool.connect();
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
    const { pool } = connect({ ...test.databaseTarget, host: '127.0.0.1', port });
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    server.close();
  });

  it('a connection that the server ended is not reused, even before the server closes it', async () => {
    const { db } = connect(test.databaseTarget);
    for (let n = 0; n < 5; n++) {
      await expect(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db)).rejects.toThrow();
      expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
    }
  });
});

describe('Database with several servers', () => {
  it('is reached at the available server', async () => {
    const { host, port, user } = inject('postgres');
    const hosts = `host=${encodeURIComponent(`/nowhere,${host}`)}&port=${port}`;
    const { pool } = connect(parseDatabaseUrl(`postgres://${user}@/${test.databaseName}?${hosts}`));
    expect((await pool.query(settings)).rows).toHaveLength(1);
  });

  it('times out within one connection timeout, including the search for the primary', async () => {
    const { host = '', port = 0 } = inject('postgres');
    const swallowed = new PrimaryFinder([{ host, port }], () => new Promise(() => {}), 3_600_000);
    const client = new DatabaseClient({ connectionTimeoutMillis: 1, primary: swallowed });
    await expect(client.connect()).rejects.toThrow('timeout');
  });
});
