import type pg from 'pg';
import type { Config } from '../config.ts';
import { checkDatabase } from '../database/check-database.ts';
import { connectDatabase, type DatabaseConnection } from '../database/connect.ts';
import { asUnusable } from '../database/database-unusable.ts';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts';
import { migrateToLatest } from '../database/migrate.ts';

export interface OpenDatabase {
  readonly connection: DatabaseConnection;
  readonly target: pg.PoolConfig;
  /** Resolves with a reason if the embedded server goes away by itself; never for an outside one. */
  readonly lost: Promise<string>;
  /** Closes the connections and stops the server if it is ours. */
  close(): Promise<void>;
}

/**
 * Reaches the database that the settings name, or starts the embedded one, checks that it can be used, and brings
 * it to the present schema.
 *
 * @throws DatabaseUnusableError
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  try {
    return await open(config);
  } catch (error) {
    throw asUnusable(error);
  }
}

async function open(config: Config): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ folder: config.dataDir }) : null;
  const target: pg.PoolConfig = embedded
    ? { ...embedded.connection, ssl: false }
    : { connectionString: config.databaseUrl as string };
  const connection = connectDatabase(target);
  const close = async () => {
    await connection.end();
    await embedded?.stop();
  };
  try {
    if ((await checkDatabase(connection.pool)) === 'behind') await migrateToLatest(connection.db);
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, target, lost: embedded?.lost ?? new Promise(() => {}), close };
}
