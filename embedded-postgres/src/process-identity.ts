import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from './embedded-postgres-error.ts';

/** `other` includes zombies; `unknown` is a running process that this platform cannot identify. */
export type ProcessIdentity = 'postmaster' | 'other' | 'dead' | 'unknown';

/** Returns true if the process runs; a zombie does not count. */
export function isAlive(pid: number): boolean {
  return exists(pid) && !isZombie(pid);
}

/** Identifies a process by its folder in /proc or its command line, because ids are reused. @param cluster real path */
export function identifyProcess(pid: number, cluster: string): ProcessIdentity {
  if (!exists(pid)) return 'dead';
  if (process.platform === 'linux') return identifyByProc(pid, cluster);
  return process.platform === 'win32' ? 'unknown' : identifyByPs(pid, cluster);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // "pid (name) state ...": the name may contain anything, so search behind the last parenthesis.
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return errorCode(error) === 'ENOENT' && !exists(pid);
  }
}

function identifyByProc(pid: number, cluster: string): ProcessIdentity {
  try {
    if (isZombie(pid) || !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) return 'other';
    return isWorkingIn(pid, cluster) ? 'postmaster' : 'other';
  } catch {
    return exists(pid) ? 'unknown' : 'dead';
  }
}

function isWorkingIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch (error) {
    // Reads the public command line if a container lacks CAP_SYS_PTRACE, which even root needs for the link.
    if (errorCode(error) !== 'EACCES') throw error;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0-D\0${cluster}\0`);
  }
}

/** Identifies a process without /proc. Exported for tests on systems that have /proc. */
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
