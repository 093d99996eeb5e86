import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type pg from 'pg';
import { listDescendants } from './usage.ts';

export interface Cores {
  readonly measured: string;
  readonly others: string;
  readonly all: string;
}

/** Reserves the first core for the measured process by `taskset`. @throws Error on a machine with one core */
export function reserveFirstCore(): Cores {
  const count = cpus().length;
  if (count < 2) throw new Error('--pinned needs two cores');
  pinToCores(process.pid, `1-${count - 1}`);
  return { measured: '0', others: `1-${count - 1}`, all: `0-${count - 1}` };
}

export function pinToCores(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
}

export function pinTreeToCores(pid: number, cores: string): void {
  for (const each of [pid, ...listDescendants(pid)]) pinToCores(each, cores);
}

/** Returns the main process of the PostgreSQL server; null if it runs on another machine. */
export async function findPostgresPid(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { pid } = rows[0] as { pid: number };
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // Checks the name, because a remote server's pid can belong to another process here.
    if (!/^Name:\s*postgres/m.test(status)) return null;
    return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
  } catch {
    return null;
  }
}
