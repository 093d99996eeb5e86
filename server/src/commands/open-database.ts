import { startEmbeddedPostgres } from '@classledger/embedded-postgres';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { checkDatabase } from '../database/check-database.ts';
import { connectDatabase, type DatabaseConnection } from '../database/connect.ts';
import { asUnusable } from '../database/database-unusable.ts';
import { migrateToLatest } from '../database/migrate.ts';
import { untilAborted, untilLate } from '../until-aborted.ts';

export interface OpenDatabase {
  readonly connection: DatabaseConnection;
  readonly target: pg.PoolConfig;
  /** Resolves with a reason if the embedded server goes away by itself; never for an outside one. */
  readonly lost: Promise<string>;
  /** Closes the connections, those at work soon as well, and stops the server if it is ours. */
  close(): Promise<void>;
}

/** What still holds a connection when all work is over was given up, or its server does not answer. */
const farewellMs = 1_000;

/**
 * Reaches the database that the settings name, or starts the embedded one, checks that it can be used, and brings
 * it to the current schema.
 *
 * @param stop given up when it aborts, with nothing left running
 * @throws DatabaseUnusableError, or the reason of the abort
 */
export async function openDatabase(
  config: Config,
  stop = new AbortController().signal,
): Promise<OpenDatabase> {
  try {
    return await open(config, stop);
  } catch (error) {
    throw asUnusable(error);
  }
}

async function open(config: Config, stop: AbortSignal): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ folder: config.dataDir, stop }) : null;
  const target: pg.PoolConfig = embedded
    ? { ...embedded.connection, ssl: false }
    : { connectionString: config.databaseUrl as string };
  const connection = connectDatabase(target);
  const close = async () => {
    await untilLate(farewellMs, connection.end());
    await embedded?.stop();
  };
  try {
    const schema = await untilAborted(stop, checkDatabase(connection.pool));
    if (schema === 'behind') await untilAborted(stop, migrateToLatest(connection.db));
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, target, lost: embedded?.lost ?? new Promise(() => {}), close };
}
