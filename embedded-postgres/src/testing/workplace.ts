import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../embedded-postgres.ts';
import type { Connection } from '../endpoint.ts';

/** Whether the tests run as root, who runs the database as someone else. */
export const isRoot = process.getuid?.() === 0;

/**
 * A folder of the running test, open to other users like most project folders. When the test is over, servers
 * that it left behind anywhere below are ended, and the folder is removed.
 */
export async function temporaryFolder(mode = 0o755): Promise<string> {
  const folder = await makeFolder(mode);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/**
 * A data folder with a database, for all tests of a file: creating one takes a while. Each test finds it
 * stopped, whatever the test before has left behind.
 */
export function sharedDataFolder(): { readonly folder: string } {
  const shared = { folder: '' };
  beforeAll(async () => {
    shared.folder = path.join(await makeFolder(0o755), 'data');
    await (await startEmbeddedPostgres(shared)).stop();
  });
  afterEach(() => endServersBelow(shared.folder));
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

async function endServersBelow(folder: string): Promise<void> {
  for (const pid of await serversBelow(folder)) {
    try {
      process.kill(pid, 'SIGINT');
    } catch {
      // It has ended since it was found.
    }
  }
  while ((await serversBelow(folder)).length > 0) await sleep(20);
}

/** Starts an embedded server that is stopped when the test is over, if not before. */
export async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(options);
  onTestFinished(() => server.stop());
  return server;
}

/** The one line by which a start is refused. */
export async function refusal(options: EmbeddedPostgresOptions): Promise<string> {
  const failure = await startEmbeddedPostgres(options).catch((error) => error);
  expect(failure).toBeInstanceOf(EmbeddedPostgresError);
  expect(failure.message).not.toContain('\n');
  return failure.message;
}

/** Runs one statement on a connection of its own. */
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

/** Waits until some session of the server is in the middle of `pg_sleep`. */
export async function untilAsleep(connection: Connection): Promise<void> {
  const asleep = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
  await expect.poll(() => query(connection, asleep)).toEqual([{ n: 1 }]);
}

/** The process id of the server, as it says itself in its cluster. */
export async function serverPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** The process ids of all servers (main processes only) whose cluster is below a folder. */
export async function serversBelow(folder: string): Promise<number[]> {
  const found = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // Processes come and go while they are looked at.
    const args = (await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')).split('\0');
    const cluster = args[0]?.endsWith('/postgres') && args[1] === '-D' ? args[2] : undefined;
    if (!cluster?.startsWith(`${folder}/`)) continue;
    const parent = /^PPid:\s*(\d+)$/m.exec(
      await readFile(`/proc/${entry}/status`, 'utf8').catch(() => ''),
    )?.[1];
    found.set(Number(entry), Number(parent));
  }
  // A process that a server has just forked still bears its name.
  return [...found].filter(([, parent]) => !found.has(parent)).map(([pid]) => pid);
}
