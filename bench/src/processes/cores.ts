import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type pg from 'pg';
import { processesBelow } from './usage.ts';

/** Which cores do what, where they are kept apart. */
export interface Cores {
  /** For the process that is measured, and for it alone. */
  readonly measured: string;
  /** For the database, the load and everything else. */
  readonly others: string;
  readonly all: string;
}

/**
 * The cores of this machine, kept apart as by `taskset`.
 *
 * @throws Error where that cannot be done
 */
export function apart(): Cores {
  const count = cpus().length;
  if (count < 2) throw new Error('--pinned needs two cores');
  keepTo(process.pid, `1-${count - 1}`);
  return { measured: '0', others: `1-${count - 1}`, all: `0-${count - 1}` };
}

/** Keeps a process, and what it starts from now on, to some cores. */
export function keepTo(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
}

/** The same of a process with everything below it. */
export function keepAllTo(pid: number, cores: string): void {
  for (const each of [pid, ...processesBelow(pid)]) keepTo(each, cores);
}

/** The main process of the PostgreSQL server behind a connection; null where it runs on another machine. */
export async function serverOf(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { pid } = rows[0] as { pid: number };
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // Another machine may have given the same number to one of its processes.
    if (!/^Name:\s*postgres/m.test(status)) return null;
    return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
  } catch {
    return null;
  }
}
