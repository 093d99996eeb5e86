import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * How the server runs unless the caller decides otherwise: every commit is on disk before it is reported,
 * and the rest suits a small machine which the database shares with the product.
 */
const defaultSettings: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // The distributed binaries are built without lz4; pglz is always there.
  wal_compression: 'pglz',
  // Checkpoints seldom, so that a burst of writes is not slowed down by full-page images.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Eight processes that share a port open ten each, and one more while they are exchanged.
  max_connections: '100',
  // A restore is one transaction, and locks each day of the logs with its indexes.
  max_locks_per_transaction: '512',
  // Short queries only: compiling them costs more than it saves.
  jit: 'off',
  random_page_cost: '1.1',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_naptime: '30s',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  // The same behaviour on every machine, whatever its locale and time zone.
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  cluster_name: 'classledger',
  // Ends what a killed client left running; needs a kernel feature that only these systems have.
  ...(['linux', 'darwin'].includes(process.platform) ? { client_connection_check_interval: '2s' } : {}),
};

/** Settings that decide who can get in, where the data is, and where errors are looked for. */
const reservedSettings = new Set([
  'config_file',
  'data_directory',
  'external_pid_file',
  'hba_file',
  'ident_file',
  'listen_addresses',
  'log_destination',
  'logging_collector',
  'port',
  'unix_socket_directories',
  'unix_socket_group',
  'unix_socket_permissions',
]);

/**
 * The complete command line arguments of the server.
 *
 * They decide everything about how it runs, so two servers with equal arguments are interchangeable; this
 * is what allows a running server to be taken over.
 *
 * @throws EmbeddedPostgresError when `overrides` touch a setting that the embedding depends on.
 */
export function serverArguments(
  cluster: string,
  endpoint: Endpoint,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const refused = Object.keys(overrides).filter((name) => reservedSettings.has(name.toLowerCase()));
  if (refused.length > 0) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL does not let these settings be changed: ${refused}.`,
    );
  }
  const settings = { ...defaultSettings, ...overrides, ...endpointSettings(endpoint) };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function endpointSettings(endpoint: Endpoint): Record<string, string> {
  const isSocket = endpoint.kind === 'socket';
  return {
    listen_addresses: isSocket ? '' : '127.0.0.1',
    port: String(endpoint.port),
    // A list of quoted names: the directory may contain commas, spaces and quotes.
    unix_socket_directories: isSocket ? `"${endpoint.directory.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
  };
}
