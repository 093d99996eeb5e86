import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../embedded-postgres.ts';
import type { Connection } from '../endpoint.ts';

export const isRoot = process.getuid?.() === 0;

/** Makes a folder that other users can pass. After the test, ends the servers below it and removes it. */
export async function temporaryFolder(mode = 0o755): Promise<string> {
  const folder = await makeFolder(mode);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Makes one data folder, with its server stopped, for all tests of a file, because making one is slow. */
export function sharedDataFolder(): { readonly folder: string } {
  const shared = { folder: '' };
  beforeAll(async () => {
    shared.folder = path.join(await makeFolder(0o755), 'data');
    await (await startEmbeddedPostgres(shared)).stop();
  });
  afterAll(() => removeFolder(path.dirname(shared.folder)));
  return shared;
}

async function makeFolder(mode: number): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'classledger-test-')));
  await chmod(folder, mode);
  return folder;
}

async function removeFolder(folder: string): Promise<void> {
  await endServersBelow(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

export async function endServersBelow(folder: string): Promise<void> {
  for (const pid of serversBelow(folder)) {
    try {
      process.kill(pid, 'SIGINT');
    } catch {
      // Ignored, because the server has already ended.
    }
  }
  while (serversBelow(folder).length > 0) await sleep(20);
}

export async function startServer(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(options);
  onTestFinished(() => server.stop());
  return server;
}

export async function startFailure(options: EmbeddedPostgresOptions): Promise<string> {
  const failure = await startEmbeddedPostgres(options).catch((error) => error);
  expect(failure).toBeInstanceOf(EmbeddedPostgresError);
  expect(failure.message).not.toContain('\n');
  return failure.message;
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...connection });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

export async function waitUntilSleeping(connection: Connection): Promise<void> {
  const asleep = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
  await expect.poll(() => query(connection, asleep)).toEqual([{ n: 1 }]);
}

export async function serverPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

export function serversBelow(folder: string): number[] {
  const found = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const args = readProcessFile(entry, 'cmdline').split('\0');
    const cluster = args[0]?.endsWith('/postgres') && args[1] === '-D' ? args[2] : undefined;
    if (!cluster?.startsWith(`${folder}/`)) continue;
    found.set(Number(entry), Number(/^PPid:\s*(\d+)$/m.exec(readProcessFile(entry, 'status'))?.[1]));
  }
  // Leaves out children, because a newly forked one still has its parent's command line.
  return [...found].filter(([, parent]) => !found.has(parent)).map(([pid]) => pid);
}

/** Returns an empty text for a process that has ended meanwhile. */
function readProcessFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
