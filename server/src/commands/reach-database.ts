import { setTimeout as pause } from 'node:timers/promises';
import { FolderInUseError, findRunningServer, startEmbeddedPostgres } from '@classledger/embedded-postgres';
import type { Config } from '../config.ts';
import { type DatabaseTarget, targetOf } from '../database/client.ts';
import { asUnusable, DatabaseUnusableError } from '../database/database-unusable.ts';

/** A PostgreSQL server that one can connect to. */
export interface ReachedDatabase {
  readonly target: DatabaseTarget;
  /** Resolves with a reason if the embedded server goes away by itself; never for another's. */
  readonly lost: Promise<string>;
  /** Stops the server if it was started here. */
  stop(): Promise<void>;
}

export type Reach = 'alone' | 'beside' | 'below';

/** Another process on the folder may be just starting or stopping its server. */
const joinWithinMs = 30_000;
const joinEveryMs = 200;

/**
 * Finds the database server that the settings name, or starts the embedded one.
 *
 * @param how `beside`: works also while another process runs the embedded server, which then serves both; `below`: the
 * parent of this process runs it
 * @param stop given up when it aborts, with nothing left running
 * @throws DatabaseUnusableError, or the reason of the abort
 */
export async function reachDatabase(config: Config, how: Reach, stop: AbortSignal): Promise<ReachedDatabase> {
  const never = new Promise<string>(() => {});
  if (config.databaseUrl !== null) {
    return { target: targetOf(config.databaseUrl), lost: never, stop: async () => {} };
  }
  if (how === 'below') {
    const connection = await findRunningServer(config.dataDir);
    if (!connection) throw new DatabaseUnusableError('The embedded database has stopped');
    return { target: { ...connection, ssl: false }, lost: never, stop: async () => {} };
  }
  const deadline = performance.now() + joinWithinMs;
  for (;;) {
    try {
      const embedded = await startEmbeddedPostgres({ folder: config.dataDir, stop });
      const target = { ...embedded.connection, ssl: false };
      return { target, lost: embedded.lost, stop: () => embedded.stop() };
    } catch (error) {
      if (how === 'alone' || !(error instanceof FolderInUseError)) throw asUnusable(error);
      const connection = await findRunningServer(config.dataDir);
      if (connection) return { target: { ...connection, ssl: false }, lost: never, stop: async () => {} };
      if (performance.now() > deadline) throw asUnusable(error);
    }
    stop.throwIfAborted();
    await pause(joinEveryMs);
  }
}
