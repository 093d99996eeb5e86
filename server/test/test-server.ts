import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@classledger/embedded-postgres';
import pg from 'pg';
import { withClient } from './with-client.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

export interface TestServer {
  readonly address: ServerAddress;
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'classledger-test-'));
  const server = await startEmbeddedPostgres({
    folder,
    // Data need not survive the run, because durability tests start and kill servers of their own.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A file can open two applications per test, whose connections stay open for a minute.
      max_connections: '1000',
    },
  });
  await copyByKernel(server.connection);
  const { database: _, ...address } = server.connection;
  return {
    address,
    async create(name) {
      await withClient(server.connection, (client) => client.query(`CREATE DATABASE ${name}`));
      return urlOf(address, name);
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Lets the kernel copy the database files for each test file; if the kernel cannot, the server copies them. */
async function copyByKernel(connection: pg.PoolConfig): Promise<void> {
  await withClient(connection, async (client) => {
    try {
      await client.query(`SET file_copy_method = 'clone'`);
      await client.query('CREATE DATABASE copied TEMPLATE template0 STRATEGY FILE_COPY');
      await client.query('DROP DATABASE copied');
      await client.query(`ALTER SYSTEM SET file_copy_method = 'clone'`);
      await client.query('SELECT pg_reload_conf()');
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
    }
  });
}

/** Returns the DATABASE_URL of a database. */
export function urlOf({ host, port, user, password }: ServerAddress, database: string): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const who = `${encodeURIComponent(user)}${secret}`;
  if (!host.startsWith('/')) return `postgres://${who}@${host}:${port}/${database}`;
  return `postgres://${who}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
