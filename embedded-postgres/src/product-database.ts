import pg from 'pg';
import { type Connection, databaseName } from './endpoint.ts';

export const firstDatabase = 'postgres';

const connectTimeoutMs = 5_000;

/** Creates the product's database. @throws an error of pg */
export async function createDatabaseIfMissing(connection: Connection): Promise<void> {
  await withClient({ ...connection, database: firstDatabase }, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  });
}

export function isServingCluster(connection: Connection, cluster: string): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ cluster: string }>(
      `SELECT current_setting('data_directory') AS cluster`,
    );
    return rows[0]?.cluster === cluster;
  }).catch(() => false);
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
