import { removeUnfinishedClusters } from './cluster.ts';
import { type Layout, prepareLayout } from './data-folder.ts';
import { EmbeddedPostgresError, errorCode, errorText } from './embedded-postgres-error.ts';
import { type Connection, removeOutsideSocketDirectory } from './endpoint.ts';
import { lockFolder } from './folder-lock.ts';
import { type ObtainedServer, obtainServer } from './obtain-server.ts';
import { rotateLogPeriodically } from './server-log.ts';
import { stopServer } from './server-process.ts';
import { type EmbeddedPostgresOptions, prepareServer } from './server-spec.ts';

const wrongPassword = '28P01';

export { prepareDataFolder, syncFolder } from './data-folder.ts';
export { EmbeddedPostgresError, FolderInUseError } from './embedded-postgres-error.ts';
export { findRunningServer } from './leftover-server.ts';
export type { EmbeddedPostgresOptions } from './server-spec.ts';

export interface EmbeddedPostgres {
  readonly connection: Connection;
  /** Resolves with a reason if the server ends before `stop`. */
  readonly lost: Promise<string>;
  /** Stops the server and releases the data folder. Idempotent. @throws EmbeddedPostgresError if it does not stop */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data folder, in place of its leftover server. At most one process owns a folder.
 * @throws EmbeddedPostgresError or the reason of `stop`; the folder is then free, and no server started here is left
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = await prepareLayout(options.folder);
  const unlock = lockFolder(layout);
  try {
    const server = await obtainServer(await prepareServer(layout, options));
    await removeUnfinishedClusters(layout);
    return toEmbeddedPostgres(layout, server, unlock);
  } catch (error) {
    unlock();
    // Throws the reason of the stop, even if initdb failed because it received the same Ctrl-C.
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

function toEmbeddedPostgres(layout: Layout, obtained: ObtainedServer, unlock: () => void): EmbeddedPostgres {
  const { process: server, connection } = obtained;
  let stopped: Promise<void> | undefined;
  const stopLogRotation = rotateLogPeriodically(layout.logFile);
  const lost = new Promise<string>((resolve) => {
    void server.ended.then((how) => {
      if (stopped !== undefined) return;
      resolve(
        `The PostgreSQL server (process ${server.pid}) ended unexpectedly: ${how}; see ${layout.logFile}.`,
      );
    });
  });
  const stop = async () => {
    stopLogRotation();
    try {
      await stopServer(server);
    } finally {
      // Runs even if the server does not stop, because the next owner of the folder handles that server.
      await removeOutsideSocketDirectory(layout);
      unlock();
    }
  };
  return { connection, lost, stop: () => (stopped ??= stop()) };
}
