import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ifThere } from './embedded-postgres-error.ts';
import { identify } from './process-identity.ts';

/** What a PostgreSQL server says about itself in its cluster's `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** The cluster's path as the server was given it. */
  readonly cluster: string;
  readonly port: number;
  /** Empty when the server has no Unix socket. */
  readonly socketDirectory: string;
  /** `starting`, `stopping`, `ready` or `standby`; empty in the first moments of a start. */
  readonly status: string;
}

/**
 * Reads `postmaster.pid`. The server writes it line by line while it starts, so everything but the process
 * id may still be missing.
 *
 * @returns `'absent'` when there is no such file, `'unreadable'` when it does not (yet) name a process.
 */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | 'absent' | 'unreadable'> {
  const text = await ifThere(readFile(postmasterFilePath(cluster), 'utf8'));
  if (text === undefined) return 'absent';
  const [pid = '', folder = '', , port = '', socketDirectory = '', , , status = ''] = text.split('\n');
  if (!(Number(pid) > 0)) return 'unreadable';
  return {
    pid: Number(pid),
    cluster: folder,
    port: Number(port),
    socketDirectory,
    status: status.trim(),
  };
}

/** Where a cluster's running server describes itself. */
export function postmasterFilePath(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/**
 * The command line of the server that runs (or last ran) on the cluster, as PostgreSQL records it, or an
 * empty text.
 */
export async function recordedCommandLine(cluster: string): Promise<string> {
  return (await readFile(path.join(cluster, 'postmaster.opts'), 'utf8').catch(() => '')).trimEnd();
}

/** The text that PostgreSQL records for a command line; see {@link recordedCommandLine}. */
export function commandLineRecord(program: string, args: readonly string[]): string {
  return [program, ...args.map((argument) => `"${argument}"`)].join(' ');
}

/**
 * Removes a lock file of PostgreSQL (`postmaster.pid` or a socket's `.lock`) whose process id is in use, but
 * not by this cluster's server. PostgreSQL itself copes with the ids of vanished processes, but takes any
 * process of its own user for a running server, and gives up.
 *
 * May only be called by the owner of the folder lock. Even if it were wrong, no second server could run:
 * PostgreSQL also guards a cluster by its shared memory.
 */
export async function removeMisleadingLock(file: string, cluster: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  if (pid > 0 && identify(pid, cluster) !== 'other') return;
  await rm(file, { force: true });
}
