import { type Binaries, locateBinaries } from './binaries.ts';
import { assertSameMajorVersion, createCluster, readPassword } from './cluster.ts';
import { assertComplete, clusterVersion } from './completeness.ts';
import type { Layout } from './data-folder.ts';
import { type Endpoint, freeTcpEndpoint, prepareSocketEndpoint } from './endpoint.ts';
import { chooseOwner, openAccount, type ServerAccount } from './server-account.ts';
import { rotateLog } from './server-log.ts';
import { serverArguments } from './settings.ts';

export interface EmbeddedPostgresOptions {
  readonly folder: string;
  readonly stop?: AbortSignal;
  readonly settings?: Record<string, string>;
  /** Default: a Unix socket; on Windows, TCP on the loopback interface with a password. */
  readonly transport?: 'socket' | 'tcp';
}

export interface ServerSpec {
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  readonly password: string;
  readonly stop: AbortSignal;
  newEndpoint(): Promise<Endpoint>;
  endpointAt(port: number): Endpoint;
  args(endpoint: Endpoint): string[];
}

/** Prepares the server of a data folder: its user, its socket and its cluster. @throws EmbeddedPostgresError */
export async function prepareServer(
  layout: Layout,
  options: Omit<EmbeddedPostgresOptions, 'folder'>,
): Promise<ServerSpec> {
  const isTcp = process.platform === 'win32' || options.transport === 'tcp';
  const binaries = await locateBinaries();
  const owner = await chooseOwner(layout.cluster);
  const socket = isTcp ? undefined : await prepareSocketEndpoint(layout, owner);
  const folders = socket?.kind === 'socket' ? [layout.folder, socket.directory] : [layout.folder];
  const account = await openAccount(owner, binaries, folders);
  await rotateLog(layout.logFile);
  return {
    cluster: layout.cluster,
    logFile: layout.logFile,
    binaries,
    account,
    password: await prepareCluster(layout, binaries, account, isTcp),
    stop: options.stop ?? new AbortController().signal,
    newEndpoint: async () => socket ?? freeTcpEndpoint(),
    endpointAt: (port) => socket ?? { kind: 'tcp', port },
    args: (endpoint) => serverArguments(layout.cluster, endpoint, options.settings ?? {}),
  };
}

async function prepareCluster(
  layout: Layout,
  binaries: Binaries,
  account: ServerAccount,
  isTcp: boolean,
): Promise<string> {
  const version = await clusterVersion(layout);
  if (version === undefined) return createCluster(layout, binaries, account);
  assertSameMajorVersion(layout, version, account);
  await assertComplete(layout);
  return readPassword(layout, isTcp);
}
