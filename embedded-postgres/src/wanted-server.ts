import { type Binaries, locateBinaries } from './binaries.ts';
import { assertSameMajorVersion, createCluster, readPassword } from './cluster.ts';
import { assertComplete, clusterVersion } from './completeness.ts';
import type { Layout } from './data-folder.ts';
import { type Endpoint, freeTcpEndpoint, prepareSocketEndpoint } from './endpoint.ts';
import { chooseOwner, openAccount, type ServerAccount } from './server-account.ts';
import { boundLog } from './server-log.ts';
import { serverArguments } from './settings.ts';

/** What `startEmbeddedPostgres` needs to know. */
export interface EmbeddedPostgresOptions {
  /** The product's data folder; created when missing. */
  readonly folder: string;
  /** Aborts when the start is to be given up: nothing is left running then. */
  readonly stop?: AbortSignal;
  /** Server settings beyond the defaults, as in `postgresql.conf`. */
  readonly settings?: Record<string, string>;
  /** Defaults to a Unix socket, and on Windows to TCP on the loopback interface with a password. */
  readonly transport?: 'socket' | 'tcp';
}

/** Everything that determines the server which a start is meant to end with, be it new or taken over. */
export interface WantedServer {
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  /** Matters to TCP only. */
  readonly password: string;
  /** The start is given up when it aborts. */
  readonly stop: AbortSignal;
  /** Where a new server would listen. */
  newEndpoint(): Promise<Endpoint>;
  /** Where a running server listens that has this port. */
  endpointAt(port: number): Endpoint;
  /** The server's command line arguments. */
  args(endpoint: Endpoint): string[];
}

/** What differs during an upgrade. */
interface Circumstances {
  /** Other programs than the installed ones. */
  readonly binaries?: Binaries;
  /** A cluster whose owner runs this server, too. */
  readonly ownedAs?: string;
  /** Of a cluster that is made. */
  readonly password?: string;
}

/**
 * Makes everything ready for the server of a data folder: its user, its socket, and its cluster, which is created
 * when there has never been one.
 *
 * @throws EmbeddedPostgresError when something keeps the server from running
 */
export async function prepareServer(
  layout: Layout,
  options: Omit<EmbeddedPostgresOptions, 'folder'>,
  circumstances: Circumstances = {},
): Promise<WantedServer> {
  const isTcp = process.platform === 'win32' || options.transport === 'tcp';
  const binaries = circumstances.binaries ?? (await locateBinaries());
  const owner = await chooseOwner(circumstances.ownedAs ?? layout.cluster);
  const socket = isTcp ? undefined : await prepareSocketEndpoint(layout, owner);
  const folders = socket?.kind === 'socket' ? [layout.folder, socket.directory] : [layout.folder];
  const account = await openAccount(owner, binaries, folders);
  await boundLog(layout.logFile);
  return {
    cluster: layout.cluster,
    logFile: layout.logFile,
    binaries,
    account,
    password: await prepareCluster(layout, binaries, account, isTcp, circumstances.password),
    stop: options.stop ?? new AbortController().signal,
    newEndpoint: async () => socket ?? freeTcpEndpoint(),
    endpointAt: (port) => socket ?? { kind: 'tcp', port },
    args: (endpoint) => serverArguments(layout.cluster, endpoint, options.settings ?? {}),
  };
}

/** Makes sure that there is a cluster which this PostgreSQL can run, and returns its password. */
async function prepareCluster(
  layout: Layout,
  binaries: Binaries,
  account: ServerAccount,
  isTcp: boolean,
  wantedPassword: string | undefined,
): Promise<string> {
  const version = await clusterVersion(layout);
  if (version === undefined) return createCluster(layout, binaries, account, wantedPassword);
  assertSameMajorVersion(layout, version, account);
  await assertComplete(layout);
  return readPassword(layout, isTcp);
}
