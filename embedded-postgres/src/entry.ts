import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from './embedded-postgres-error.ts';
import { type Connection, databaseName } from './endpoint.ts';

/**
 * Refusals that pass: the server is just starting or stopping (57P03), its connections are still taken by
 * a process that was killed (53300), or its socket is not there yet.
 */
const passingRefusals = new Set(['57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']);

/** The database that every cluster has from the beginning. */
const firstDatabase = 'postgres';

const retryIntervalMs = 20;
const connectTimeoutMs = 5_000;
const sessionEndMs = 10_000;

/**
 * Proves that one gets into the server of a cluster, and makes sure that the product's database exists (a
 * start may have been interrupted right before it was created).
 *
 * @param cluster the path that the server was given.
 * @param patienceMs how long passing refusals are put up with.
 * @returns the server's version, such as `18.4`; or undefined when it is the server of another cluster,
 * which is then left untouched.
 * @throws whatever `pg` throws when one does not get in.
 */
export async function enterServer(
  connection: Connection,
  cluster: string,
  patienceMs = 5_000,
): Promise<string | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await withClient({ ...connection, database: firstDatabase }, (client) => enter(client, cluster));
    } catch (error) {
      if (!passingRefusals.has(errorCode(error) ?? '') || performance.now() > deadline) throw error;
      await sleep(retryIntervalMs);
    }
  }
}

/** Whether a server runs the cluster and has the product's database. */
export async function servesCluster(connection: Connection, cluster: string): Promise<boolean> {
  try {
    return await withClient(connection, async (client) => {
      const { rows } = await client.query<{ cluster: string }>(
        `SELECT current_setting('data_directory') AS cluster`,
      );
      return rows[0]?.cluster === cluster;
    });
  } catch {
    return false;
  }
}

/**
 * Ends every other session of the server. After a take-over these belong to the killed process; once this
 * has resolved, nothing it had begun can be committed any more behind the new owner's back.
 *
 * @throws Error when a session does not end in time.
 */
export async function endOtherSessions(connection: Connection): Promise<void> {
  const others = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  await withClient(connection, async (client) => {
    await client.query(`SELECT pg_terminate_backend(pid, ${sessionEndMs}) ${others}`);
    const { rows } = await client.query<{ left: number }>(`SELECT count(*)::int AS left ${others}`);
    if (rows[0]?.left !== 0) throw new Error('Sessions of an earlier process do not end');
  });
}

async function enter(client: pg.Client, cluster: string): Promise<string | undefined> {
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
  // Without TLS whatever PGSSLMODE says: the server offers none, and nothing leaves the machine.
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks while idle reports it here; unheard, that would end the program.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
