import { removeUnfinishedClusters } from './cluster.ts';
import { type Layout, prepareLayout } from './data-folder.ts';
import { EmbeddedPostgresError, errorCode, errorText } from './embedded-postgres-error.ts';
import { type Connection, removeOutsideSocketDirectory } from './endpoint.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type ObtainedServer, obtainServer } from './obtain-server.ts';
import { keepLogBounded } from './server-log.ts';
import { stopServer } from './server-process.ts';
import { finishSwap } from './upgrade-cluster.ts';
import { type EmbeddedPostgresOptions, prepareServer } from './wanted-server.ts';

/** PostgreSQL's code for it. */
const wrongPassword = '28P01';

export { prepareDataFolder } from './data-folder.ts';
export { EmbeddedPostgresError, FolderInUseError, OlderClusterError } from './embedded-postgres-error.ts';
export { findRunningServer } from './running-server.ts';
export { upgradeCluster } from './upgrade-cluster.ts';
export type { EmbeddedPostgresOptions } from './wanted-server.ts';

/** A running PostgreSQL server that belongs to this process alone. */
export interface EmbeddedPostgres {
  /** How to connect; suits `pg.PoolConfig`. */
  readonly connection: Connection;
  /** True when a server that a killed process had left running was taken over. */
  readonly adopted: boolean;
  /** Resolves with a reason if the server goes away without having been asked to stop; else never. */
  readonly lost: Promise<string>;
  /**
   * Shuts the server down (open transactions are rolled back), waits until it is gone, and gives the data
   * folder up. Idempotent; rejects with an EmbeddedPostgresError if the server does not stop.
   */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a data folder: creates the database at the first start, takes over a
 * server that a killed process left running, else starts a new one. Resolves when it accepts connections and
 * the product's database exists.
 *
 * At most one process owns a data folder, and at most one server runs on it. If this process is killed, the
 * server stays and the next start takes it over; an orderly end is `stop()`.
 *
 * @throws EmbeddedPostgresError with one line for the operator, whatever goes wrong, or with the reason for which
 * `stop` was aborted. The folder is then free again, and no server started here is left behind.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = await prepareLayout(options.folder);
  const lock = lockFolder(layout);
  try {
    await finishSwap(layout);
    const server = await obtainServer(await prepareServer(layout, options));
    await removeUnfinishedClusters(layout);
    return running(layout, server, lock);
  } catch (error) {
    lock.release();
    // Whatever a start that is given up has stumbled over: initdb gets the Ctrl-C of a terminal too.
    options.stop?.throwIfAborted();
    if (error instanceof EmbeddedPostgresError) throw error;
    if (errorCode(error) === wrongPassword) {
      throw new EmbeddedPostgresError(
        `The password in ${layout.passwordFile} is not that of the database in ${layout.cluster}: ` +
          'restore both from the same backup.',
        { cause: error },
      );
    }
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${layout.folder} cannot be started: ${errorText(error)}`,
      { cause: error },
    );
  }
}

/** The handle on a server; once it is stopped, the folder is free. */
function running(layout: Layout, obtained: ObtainedServer, lock: FolderLock): EmbeddedPostgres {
  const { process: server, connection, adopted } = obtained;
  let stopped: Promise<void> | undefined;
  const endLogCare = keepLogBounded(layout.logFile);
  const lost = new Promise<string>((resolve) => {
    void server.ended.then((how) => {
      if (stopped !== undefined) return;
      resolve(`The PostgreSQL server (process ${server.pid}) went away: ${how}; see ${layout.logFile}.`);
    });
  });
  const stop = async () => {
    endLogCare();
    try {
      await stopServer(server);
    } finally {
      // Even if the server does not stop: the next owner of the folder finds it, and deals with it.
      await removeOutsideSocketDirectory(layout);
      lock.release();
    }
  };
  return { connection, adopted, lost, stop: () => (stopped ??= stop()) };
}
