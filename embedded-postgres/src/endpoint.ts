import { createHash } from 'node:crypto';
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import type { PostmasterFile } from './postmaster-file.ts';
import { changeOwner, type Owner } from './server-account.ts';

export type Endpoint =
  | { readonly kind: 'socket'; readonly directory: string; readonly port: number }
  | { readonly kind: 'tcp'; readonly port: number };

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

export const databaseUser = 'classledger';

export const databaseName = 'classledger';

/** Part of the socket's file name; nothing listens on this port. */
const socketPort = 5432;

/** The lowest limit of the supported systems (macOS: 104 bytes with the terminating zero). */
const socketPathMaxBytes = 103;

/** Prepares the private socket directory, in a temporary folder for a long path. @throws EmbeddedPostgresError */
export async function prepareSocketEndpoint(layout: Layout, owner: Owner | undefined): Promise<Endpoint> {
  const directory = socketDirectoryFor(layout);
  let created = true;
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    created = false;
  }
  const status = await lstat(directory);
  const self = process.getuid?.();
  const trusted = [self, owner?.uid].includes(status.uid);
  if (!created && !(status.isDirectory() && trusted && (status.mode & 0o077) === 0)) {
    throw new EmbeddedPostgresError(
      `${directory} must be a directory that is closed to other users, because it guards the database: ` +
        'remove it, or choose another data folder.',
    );
  }
  if (owner !== undefined && status.uid !== owner.uid) await changeOwner(directory, owner);
  return { kind: 'socket', directory, port: socketPort };
}

function socketDirectoryFor(layout: Layout): string {
  const fits = (directory: string) => Buffer.byteLength(socketPath(directory)) <= socketPathMaxBytes;
  if (fits(layout.socketDirectory)) return layout.socketDirectory;
  const hash = createHash('sha256').update(layout.folder).digest('hex').slice(0, 16);
  const inTemporaryFolder = path.join(tmpdir(), `classledger-${hash}`);
  return fits(inTemporaryFolder) ? inTemporaryFolder : `/tmp/classledger-${hash}`;
}

/** Removes a socket directory outside the data folder. Ignores errors, because the next start can use it again. */
export async function removeOutsideSocketDirectory(layout: Layout): Promise<void> {
  const directory = socketDirectoryFor(layout);
  if (directory !== layout.socketDirectory) await rmdir(directory).catch(() => {});
}

export function socketLockFile(endpoint: Endpoint): string | undefined {
  return endpoint.kind === 'tcp' ? undefined : `${socketPath(endpoint.directory)}.lock`;
}

function socketPath(directory: string): string {
  return path.join(directory, `.s.PGSQL.${socketPort}`);
}

/** Picks a free loopback port. If another program takes it first, the server fails and the caller tries again. */
export function freeTcpEndpoint(): Promise<Endpoint> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve({ kind: 'tcp', port }));
    });
  });
}

/** Returns where a running server listens. @param socketDirectory empty without a Unix socket */
export function listeningEndpoint({ port, socketDirectory }: PostmasterFile): Endpoint {
  return socketDirectory === ''
    ? { kind: 'tcp', port }
    : { kind: 'socket', directory: socketDirectory, port };
}

export function connectionTo(endpoint: Endpoint, password: string): Connection {
  const login = { port: endpoint.port, user: databaseUser, database: databaseName };
  return endpoint.kind === 'socket'
    ? { host: endpoint.directory, ...login }
    : { host: '127.0.0.1', ...login, password };
}
