import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from './embedded-postgres-error.ts';
import { identifyProcess } from './process-identity.ts';

export interface PostmasterFile {
  readonly pid: number;
  /** The path that the server was started with. */
  readonly cluster: string;
  readonly port: number;
  /** Empty without a Unix socket. */
  readonly socketDirectory: string;
  /** `starting`, `stopping`, `ready` or `standby`; empty at the beginning of a start. */
  readonly status: string;
}

/** Reads `postmaster.pid`, whose later fields may be missing; `'unreadable'` if it names no process so far. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | 'absent' | 'unreadable'> {
  const text = await undefinedIfMissing(readFile(postmasterFilePath(cluster), 'utf8'));
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

export function postmasterFilePath(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/** Returns the recorded command line of the server that last started on the cluster; empty if there is none. */
export async function recordedCommandLine(cluster: string): Promise<string> {
  return (await readFile(path.join(cluster, 'postmaster.opts'), 'utf8').catch(() => '')).trimEnd();
}

/** Formats a command line like {@link recordedCommandLine}. */
export function commandLineRecord(program: string, args: readonly string[]): string {
  return [program, ...args.map((argument) => `"${argument}"`)].join(' ');
}

/** Removes a lock file that names no server, which makes PostgreSQL exit. Call it only under the folder lock. */
export async function removeMisleadingLock(file: string, cluster: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  if (pid > 0 && identifyProcess(pid, cluster) !== 'other') return;
  await rm(file, { force: true });
}
