import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from './embedded-postgres-error.ts';
import { identifyProcess } from './process-identity.ts';

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Empty without a Unix socket. */
  readonly socketDirectory: string;
  /** `starting`, `stopping` or `ready`; empty at the beginning of a start. */
  readonly status: string;
}

/** Reads `postmaster.pid`, whose later fields may be missing; `'unreadable'` if it names no process so far. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | 'absent' | 'unreadable'> {
  const text = await undefinedIfMissing(readFile(postmasterFilePath(cluster), 'utf8'));
  if (text === undefined) return 'absent';
  const [pid = '', , , port = '', socketDirectory = '', , , status = ''] = text.split('\n');
  if (!(Number(pid) > 0)) return 'unreadable';
  return {
    pid: Number(pid),
    port: Number(port),
    socketDirectory,
    status: status.trim(),
  };
}

export function postmasterFilePath(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/** Removes a lock file that names no server, which makes PostgreSQL exit. Call it only under the folder lock. */
export async function removeMisleadingLock(file: string, cluster: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  if (pid > 0 && identifyProcess(pid, cluster) !== 'other') return;
  await rm(file, { force: true });
}
