import { setTimeout as pause } from 'node:timers/promises';
import { FolderInUseError, findRunningServer, startEmbeddedPostgres } from '@classledger/embedded-postgres';
import type { Config } from '../config/config.ts';
import { type DatabaseTarget, parseDatabaseUrl } from '../database/client.ts';
import { DatabaseUnusableError, toDatabaseUnusable } from '../database/database-unusable.ts';

export interface DatabaseServer {
  readonly target: DatabaseTarget;
  /** Resolves with a reason if the embedded server stops by itself; never for another server. */
  readonly lost: Promise<string>;
  /** Stops the server if this process started it. */
  stop(): Promise<void>;
}

export type DatabaseServerMode = 'exclusive' | 'join' | 'parent';

/** How long to retry while another process starts or stops the server of this folder. */
const joinTimeoutMs = 30_000;
const joinRetryMs = 200;

/** Finds or starts the server; `join` also uses another process's server. @throws DatabaseUnusableError */
export async function findDatabaseServer(
  config: Config,
  mode: DatabaseServerMode,
  stop: AbortSignal,
): Promise<DatabaseServer> {
  const sharedServer = (target: DatabaseTarget): DatabaseServer => ({
    target,
    lost: new Promise(() => {}),
    stop: async () => {},
  });
  if (config.databaseUrl !== null) return sharedServer(parseDatabaseUrl(config.databaseUrl));
  if (mode === 'parent') {
    const connection = await findRunningServer(config.dataDir);
    if (!connection) throw new DatabaseUnusableError('The embedded database has stopped');
    return sharedServer({ ...connection, ssl: false });
  }
  const deadline = performance.now() + joinTimeoutMs;
  for (;;) {
    try {
      const embedded = await startEmbeddedPostgres({ folder: config.dataDir, stop });
      const target = { ...embedded.connection, ssl: false };
      return { target, lost: embedded.lost, stop: () => embedded.stop() };
    } catch (error) {
      if (mode === 'exclusive' || !(error instanceof FolderInUseError)) throw toDatabaseUnusable(error);
      const connection = await findRunningServer(config.dataDir);
      if (connection) return sharedServer({ ...connection, ssl: false });
      if (performance.now() > deadline) throw toDatabaseUnusable(error);
    }
    stop.throwIfAborted();
    await pause(joinRetryMs);
  }
}
