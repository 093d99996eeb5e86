import { type Binaries, locateBinaries } from './binaries.ts';
import {
  assertComplete,
  assertSameMajorVersion,
  clusterVersion,
  createCluster,
  readPassword,
} from './cluster.ts';
import type { Layout } from './data-folder.ts';
import { type Endpoint, freeTcpEndpoint, prepareSocketEndpoint } from './endpoint.ts';
import { chooseOwner, openAccount, type ServerAccount } from './server-account.ts';
import { rotateLog } from './server-log.ts';

/** A reported commit is on disk. The memory settings suit a small machine that runs both PostgreSQL and the server. */
const defaultSettings: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // The packaged programs lack lz4.
  wal_compression: 'pglz',
  // Rare checkpoints, because the full-page images after each one slow down bursts of writes.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Eight workers open ten connections each, and one more worker runs during a replacement.
  max_connections: '100',
  // A restore is one transaction that locks each daily partition of the logs with its indexes.
  max_locks_per_transaction: '512',
  // Queries are short, so compiling them costs more than it saves.
  jit: 'off',
  random_page_cost: '1.1',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_naptime: '30s',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  cluster_name: 'classledger',
  // Ends statements of killed clients; other systems lack the kernel feature.
  ...(['linux', 'darwin'].includes(process.platform) ? { client_connection_check_interval: '2s' } : {}),
};

function serverArguments(
  cluster: string,
  endpoint: Endpoint,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const isSocket = endpoint.kind === 'socket';
  const settings = {
    ...defaultSettings,
    ...overrides,
    listen_addresses: isSocket ? '' : '127.0.0.1',
    port: String(endpoint.port),
    // Quotes the name, because the directory may contain commas, spaces and quotes.
    unix_socket_directories: isSocket ? `"${endpoint.directory.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

export interface EmbeddedPostgresOptions {
  readonly folder: string;
  readonly stop?: AbortSignal;
  /** For tests. */
  readonly settings?: Readonly<Record<string, string>>;
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
