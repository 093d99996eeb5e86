import type pg from 'pg';
import type { Config } from '../config.ts';
import { connectDatabase, type DatabaseConnection } from '../database/connect.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts';
import { migrateToLatest } from '../database/migrate.ts';

export interface OpenDatabase {
  readonly connection: DatabaseConnection;
  readonly target: pg.PoolConfig;
  /** Resolves with a reason if the embedded server goes away by itself; never for an outside one. */
  readonly lost: Promise<string>;
  /** Closes the connections and stops the server if it is ours. */
  close(): Promise<void>;
}

const oldestMajor = 15;

/** A database that cannot be used; the message is one line for the operator. */
export class DatabaseUnusableError extends Error {}

/**
 * Reaches the database that the settings name, or starts the embedded one, and brings it to the present schema.
 *
 * @throws DatabaseUnusableError
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  const embedded = config.databaseUrl === null ? await startEmbedded(config.dataDir) : null;
  const target: pg.PoolConfig = embedded
    ? { ...embedded.connection, ssl: false }
    : { connectionString: config.databaseUrl as string };
  const connection = connectDatabase(target);
  const close = async () => {
    await connection.end();
    await embedded?.stop();
  };
  try {
    await assertVersion(connection);
    await migrateToLatest(connection.db);
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, target, lost: embedded?.lost ?? new Promise(() => {}), close };
}

async function startEmbedded(folder: string) {
  try {
    return await startEmbeddedPostgres({ folder });
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new DatabaseUnusableError(`DATA_DIR: ${error.message}`);
  }
}

async function assertVersion({ pool }: DatabaseConnection): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query("SELECT current_setting('server_version_num')::int AS version");
    version = rows[0].version;
  } catch (error) {
    throw new DatabaseUnusableError(`The database cannot be reached: ${(error as Error).message}`);
  }
  if (version < oldestMajor * 10_000) {
    throw new DatabaseUnusableError(
      `PostgreSQL ${oldestMajor} or newer is needed; DATABASE_URL names an older one`,
    );
  }
}
