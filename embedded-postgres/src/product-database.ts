import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from './embedded-postgres-error.ts';
import { type Connection, databaseName } from './endpoint.ts';

/** Temporary: the server starts or stops (57P03), or a killed process's connections are open (53300). */
const temporaryErrorCodes = new Set(['57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']);

const firstDatabase = 'postgres';

const retryIntervalMs = 20;
const connectTimeoutMs = 5_000;
const sessionEndMs = 10_000;

/** Returns the version; undefined for another cluster's server. Creates a missing database. @throws an error of pg */
export async function openProductDatabase(
  connection: Connection,
  cluster: string,
  patienceMs = 5_000,
): Promise<string | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await withClient({ ...connection, database: firstDatabase }, (client) =>
        createDatabaseIfMissing(client, cluster),
      );
    } catch (error) {
      if (!temporaryErrorCodes.has(errorCode(error) ?? '') || performance.now() > deadline) throw error;
      await sleep(retryIntervalMs);
    }
  }
}

export function isServingCluster(connection: Connection, cluster: string): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ cluster: string }>(
      `SELECT current_setting('data_directory') AS cluster`,
    );
    return rows[0]?.cluster === cluster;
  }).catch(() => false);
}

/** Ends the other sessions after a take-over, so that the killed process can commit nothing more. @throws Error */
export async function endOtherSessions(connection: Connection): Promise<void> {
  const others = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  await withClient(connection, async (client) => {
    await client.query(`SELECT pg_terminate_backend(pid, ${sessionEndMs}) ${others}`);
    const { rows } = await client.query<{ left: number }>(`SELECT count(*)::int AS left ${others}`);
    if (rows[0]?.left !== 0) throw new Error('Sessions of an earlier process do not end');
  });
}

async function createDatabaseIfMissing(client: pg.Client, cluster: string): Promise<string | undefined> {
  const { rows } = await client.query<{ cluster: string; version: string; complete: boolean }>(
    `SELECT current_setting('data_directory') AS cluster, current_setting('server_version') AS version,
            EXISTS (SELECT FROM pg_database WHERE datname = $1) AS complete`,
    [databaseName],
  );
  const [server] = rows;
  if (server?.cluster !== cluster) return undefined;
  if (!server.complete) await client.query(`CREATE DATABASE ${databaseName}`);
  return server.version;
}

async function withClient<T>(connection: Connection, use: (client: pg.Client) => Promise<T>): Promise<T> {
  // Ignores PGSSLMODE, because the server offers no TLS and connections stay on this machine.
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: connectTimeoutMs });
  // Ignores the error of an idle connection that breaks. Without a listener, it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
