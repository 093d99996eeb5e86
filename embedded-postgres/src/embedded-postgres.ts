import { type Binaries, locateBinaries } from './binaries.ts';
import { assertSameMajorVersion, createCluster, readPassword, removeUnfinishedClusters } from './cluster.ts';
import { assertComplete, clusterVersion } from './completeness.ts';
import { EmbeddedPostgresError, errorCode, errorText } from './embedded-postgres-error.ts';
import {
  type Connection,
  freeTcpEndpoint,
  prepareSocketEndpoint,
  removeOutsideSocketDirectory,
} from './endpoint.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type Layout, prepareLayout } from './layout.ts';
import { type ObtainedServer, obtainServer } from './obtain-server.ts';
import { chooseOwner, openAccount, type ServerAccount } from './server-account.ts';
import { boundLog, keepLogBounded } from './server-log.ts';
import { stopServer } from './server-process.ts';
import { serverArguments } from './settings.ts';

/** PostgreSQL's code for it. */
const wrongPassword = '28P01';

export { prepareDataFolder } from './data-folder.ts';
export { EmbeddedPostgresError } from './embedded-postgres-error.ts';

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

/** What {@link startEmbeddedPostgres} needs to know. */
export interface EmbeddedPostgresOptions {
  /** The product's data folder; created when missing. */
  readonly folder: string;
  /** Aborts when the start is to be given up: nothing is left running then. */
  readonly stop?: AbortSignal;
  /** Receives a line for each noteworthy step. */
  readonly log?: (line: string) => void;
  /** Server settings beyond the defaults, as in `postgresql.conf`. */
  readonly settings?: Record<string, string>;
  /** Defaults to a Unix socket, and on Windows to TCP on the loopback interface with a password. */
  readonly transport?: 'socket' | 'tcp';
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
    return await startOwned(layout, lock, options);
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

async function startOwned(
  layout: Layout,
  lock: FolderLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const isTcp = process.platform === 'win32' || options.transport === 'tcp';
  const binaries = await locateBinaries();
  const owner = await chooseOwner(layout.cluster);
  const socket = isTcp ? undefined : await prepareSocketEndpoint(layout, owner);
  const folders = socket?.kind === 'socket' ? [layout.folder, socket.directory] : [layout.folder];
  const account = await openAccount(owner, binaries, folders);
  await boundLog(layout.logFile);
  const password = await prepareCluster(layout, binaries, account, isTcp, log);
  const stop = options.stop ?? new AbortController().signal;
  const server = await obtainServer(
    {
      cluster: layout.cluster,
      logFile: layout.logFile,
      binaries,
      account,
      password,
      stop,
      newEndpoint: async () => socket ?? freeTcpEndpoint(),
      endpointAt: (port) => socket ?? { kind: 'tcp', port },
      args: (endpoint) => serverArguments(layout.cluster, endpoint, options.settings ?? {}),
    },
    log,
  );
  await removeUnfinishedClusters(layout);
  return running(layout, server, async () => {
    if (socket !== undefined) await removeOutsideSocketDirectory(layout, socket);
    lock.release();
  });
}

/** Makes sure that there is a cluster which this PostgreSQL can run, and returns its password. */
async function prepareCluster(
  layout: Layout,
  binaries: Binaries,
  account: ServerAccount,
  isTcp: boolean,
  log: (line: string) => void,
): Promise<string> {
  const version = await clusterVersion(layout);
  if (version !== undefined) {
    assertSameMajorVersion(layout, version, account);
    await assertComplete(layout);
    return readPassword(layout, isTcp);
  }
  log(`Creating the database in ${layout.cluster} (PostgreSQL ${account.version}).`);
  return createCluster(layout, binaries, account);
}

/** The handle on a server; `release` gives up what it occupies once it is stopped. */
function running(layout: Layout, obtained: ObtainedServer, release: () => Promise<void>): EmbeddedPostgres {
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
      await release();
    }
  };
  return { connection, adopted, lost, stop: () => (stopped ??= stop()) };
}
