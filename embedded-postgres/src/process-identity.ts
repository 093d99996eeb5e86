import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from './embedded-postgres-error.ts';

/**
 * What is known about a process id read from a lock file:
 * - `postmaster`: it runs, and it is the PostgreSQL server of the cluster in question;
 * - `other`: the id is taken, but by something else (or by a dead process that no one has reaped);
 * - `dead`: no such process;
 * - `unknown`: it runs, and this platform does not tell what it is.
 */
export type ProcessIdentity = 'postmaster' | 'other' | 'dead' | 'unknown';

/** Whether a process with this id runs; one that ended but was not reaped by its parent does not count. */
export function isAlive(pid: number): boolean {
  return exists(pid) && !isZombie(pid);
}

/**
 * Tells whether a process id belongs to the PostgreSQL server of a cluster, without talking to the server
 * (which may be too busy starting or stopping to answer).
 *
 * Process ids are reused - in containers within seconds - so the mere existence of the process proves
 * nothing. A postmaster makes the cluster its working directory before it writes its lock file and stays
 * there, which /proc shows; elsewhere its command line has to do.
 *
 * @param cluster the cluster's real path.
 */
export function identify(pid: number, cluster: string): ProcessIdentity {
  if (!exists(pid)) return 'dead';
  if (process.platform === 'linux') return identifyByProc(pid, cluster);
  return process.platform === 'win32' ? 'unknown' : identifyByPs(pid, cluster);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to someone else.
    return errorCode(error) === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // "pid (name) state ...": the name may hold anything, so look behind its last parenthesis.
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return errorCode(error) === 'ENOENT' && !exists(pid);
  }
}

function identifyByProc(pid: number, cluster: string): ProcessIdentity {
  try {
    if (isZombie(pid) || !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) return 'other';
    return worksIn(pid, cluster) ? 'postmaster' : 'other';
  } catch {
    return exists(pid) ? 'unknown' : 'dead';
  }
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch (error) {
    // Even root may not look there in a container without CAP_SYS_PTRACE; command lines are public.
    if (errorCode(error) !== 'EACCES') throw error;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0-D\0${cluster}\0`);
  }
}

/** The slower way, for systems without /proc. Exported so that it can be tested on those that have it. */
export function identifyByPs(pid: number, cluster: string): ProcessIdentity {
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'stat=', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = '', program = ''] = line.split(/\s+/);
    if (state.startsWith('Z')) return 'other';
    const isServer = path.basename(program).startsWith('postgres') || line.includes('/postgres -D ');
    return isServer && line.includes(` -D ${cluster} `) ? 'postmaster' : 'other';
  } catch {
    return exists(pid) ? 'unknown' : 'dead';
  }
}
