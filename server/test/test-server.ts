import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@classledger/embedded-postgres';
import pg from 'pg';
import { withClient } from './with-client.ts';

/** How a server is reached, without a database. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

/** A PostgreSQL server for one run, whose data nobody needs afterwards. */
export interface TestServer {
  readonly address: ServerAddress;
  /** Creates an empty database. @returns its DATABASE_URL */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'classledger-test-'));
  const server = await startEmbeddedPostgres({
    folder,
    // Nothing here outlives the run; durability is tested where a server of its own is killed.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A file may open two applications for each of its tests; their connections stay for a minute, and end with the file.
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

/**
 * Has the kernel copy the files of databases, as each test file has a copy of one. Where the kernel, the file system or the
 * PostgreSQL cannot, the server goes on copying them itself.
 */
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

/** The DATABASE_URL of a database. */
export function urlOf({ host, port, user, password }: ServerAddress, database: string): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const who = `${encodeURIComponent(user)}${secret}`;
  if (!host.startsWith('/')) return `postgres://${who}@${host}:${port}/${database}`;
  return `postgres://${who}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
