import { untilAborted, waitAtMost } from '../concurrency/until-aborted.ts';
import type { Config } from '../config/config.ts';
import { checkDatabase } from '../database/check-database.ts';
import { checkPooling } from '../database/check-pooling.ts';
import { type DatabaseTarget, parseDatabaseUrl } from '../database/client.ts';
import { connectDatabase, type DatabaseConnection } from '../database/connect.ts';
import { toDatabaseUnusable } from '../database/database-unusable.ts';
import { migrateToLatest } from '../database/migrate.ts';
import { type DatabaseServerMode, findDatabaseServer } from './find-database-server.ts';

export interface OpenDatabase {
  readonly connection: DatabaseConnection;
  readonly target: DatabaseTarget;
  readonly listenTarget: DatabaseTarget;
  /** Resolves with a reason if the embedded server stops by itself; never for an external one. */
  readonly lost: Promise<string>;
  /** Waits a second for busy connections; stops the server if this process started it. */
  close(): Promise<void>;
}

/** Connections that are busy for longer belong to abandoned work or to a server that does not answer. */
const closeTimeoutMs = 1_000;

/** Opens, checks and migrates the database. @throws DatabaseUnusableError or the abort's reason; nothing stays open */
export async function openDatabase(
  config: Config,
  stop = new AbortController().signal,
  mode: DatabaseServerMode = 'exclusive',
  processCount = 1,
): Promise<OpenDatabase> {
  try {
    return await open(config, stop, mode, processCount);
  } catch (error) {
    throw toDatabaseUnusable(error);
  }
}

async function open(config: Config, stop: AbortSignal, mode: DatabaseServerMode, processCount: number) {
  const { target, lost, stop: stopServer } = await findDatabaseServer(config, mode, stop);
  const listenTarget = config.databaseListenUrl === null ? null : parseDatabaseUrl(config.databaseListenUrl);
  const connection = connectDatabase(target, { pooling: config.databasePooling, processCount });
  const close = async () => {
    await waitAtMost(closeTimeoutMs, connection.end());
    await stopServer();
  };
  try {
    const schema = await untilAborted(stop, checkDatabase(connection.pool));
    if (config.databaseUrl !== null)
      await untilAborted(stop, checkPooling(target, listenTarget, config.databasePooling));
    if (schema === 'outdated') await untilAborted(stop, migrateToLatest(connection.db));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    connection,
    target,
    listenTarget: listenTarget ?? target,
    lost,
    close,
  };
}
