import { createHash } from 'node:crypto';
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import { changeOwner, type Owner } from './server-account.ts';

/** Where the server listens: a Unix socket in a private directory, or a port of the loopback interface. */
export type Endpoint =
  | { readonly kind: 'socket'; readonly directory: string; readonly port: number }
  | { readonly kind: 'tcp'; readonly port: number };

/** How to connect to the server; suits `pg`. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

/** The owner of everything in the cluster. */
export const databaseUser = 'classledger';

/** The database of the product. */
export const databaseName = 'classledger';

/** Only part of the socket's file name; nothing listens on this port. */
const socketPort = 5432;

/** The shortest limit of the supported systems (macOS: 104 bytes including the terminating zero). */
const socketPathMaxBytes = 103;

/**
 * Prepares the directory of the Unix socket. Whoever may enter it is let into the database, so it belongs
 * to the server's user and is closed to everyone else.
 *
 * Socket paths have a length limit of about a hundred bytes. A data folder too deep for that gets a
 * directory in the system's temporary folder instead, with a name that follows from the data folder.
 *
 * @throws EmbeddedPostgresError when someone else has created that directory, or it is open to others.
 */
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

/**
 * Removes a socket directory outside the data folder once the server is gone. Best effort: a directory that
 * stays is used again at the next start.
 */
export async function removeOutsideSocketDirectory(layout: Layout): Promise<void> {
  const directory = socketDirectoryFor(layout);
  if (directory !== layout.socketDirectory) await rmdir(directory).catch(() => {});
}

/** The lock file that a server on this endpoint creates next to its socket. */
export function socketLockFile(endpoint: Endpoint): string | undefined {
  return endpoint.kind === 'tcp' ? undefined : `${socketPath(endpoint.directory)}.lock`;
}

function socketPath(directory: string): string {
  return path.join(directory, `.s.PGSQL.${socketPort}`);
}

/**
 * Picks a port of the loopback interface that is free right now. Someone else may take it before the
 * server does; the server then fails to start and is started again with another one.
 */
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

/** How to connect to a server on this endpoint. The password matters to TCP only. */
export function connectionTo(endpoint: Endpoint, password: string): Connection {
  const login = { port: endpoint.port, user: databaseUser, database: databaseName };
  return endpoint.kind === 'socket'
    ? { host: endpoint.directory, ...login }
    : { host: '127.0.0.1', ...login, password };
}
