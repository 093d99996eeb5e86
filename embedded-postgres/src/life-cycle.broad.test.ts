import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clusterVersion } from './cluster.ts';
import { prepareLayout } from './data-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { prepareServer } from './server-spec.ts';
import { startChildServer } from './testing/child-server.ts';
import {
  query,
  serverPid,
  serversBelow,
  sharedDataFolder,
  startFailure,
  startServer,
  temporaryFolder,
  waitUntilSleeping,
} from './testing/test-servers.ts';

const shared = sharedDataFolder();

describe('Embedded server', () => {
  it('starts on an empty folder with unusual characters in its name, and is gone after stop', async () => {
    const folder = path.join(await temporaryFolder(), `it's "5, ü`, '-c x=$HOME');
    const server = await startServer({ folder });
    expect(server.connection.host.startsWith(folder)).toBe(true);
    const [row] = await query(
      server.connection,
      `SELECT current_database() AS database, current_setting('server_encoding') AS encoding,
              current_setting('data_checksums') AS checksums, current_setting('listen_addresses') AS addresses,
              current_setting('synchronous_commit') AS commits, current_setting('fsync') AS fsync,
              current_setting('jit') AS jit`,
    );
    expect(row).toEqual({
      database: 'classledger',
      encoding: 'UTF8',
      checksums: 'on',
      addresses: '',
      commits: 'on',
      fsync: 'on',
      jit: 'off',
    });
    await server.stop();
    expect(serversBelow(folder)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual([
      'owner.lock',
      'postgres',
      'postgres.log',
      'postgres.password',
      'socket',
    ]);
    expect(await readFile(path.join(folder, 'postgres.log'), 'utf8')).not.toMatch(/ERROR|FATAL|PANIC/);
  });

  it('stops once although asked repeatedly and with clients connected, reports no loss, and keeps committed data', async () => {
    const server = await startServer(shared);
    let loss: string | undefined;
    void server.lost.then((reason) => {
      loss = reason;
    });
    await query(server.connection, `CREATE TABLE score AS SELECT 'Zoë' AS name, 17 AS points`);
    const busy = query(server.connection, 'SELECT pg_sleep(30)').catch((error) => error);
    await waitUntilSleeping(server.connection);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(await busy).toBeInstanceOf(Error);
    expect(serversBelow(shared.folder)).toEqual([]);
    // By now, listeners know that the process has ended.
    await setImmediate();
    expect(loss).toBeUndefined();
    const again = await startServer(shared);
    expect(await query(again.connection, 'SELECT * FROM score')).toEqual([{ name: 'Zoë', points: 17 }]);
  });

  it('reports the loss of a killed server, starts again, and creates the product database if it is missing', async () => {
    const server = await startServer(shared);
    // An earlier start was interrupted before it created the database.
    await query({ ...server.connection, database: 'postgres' }, 'DROP DATABASE classledger');
    process.kill(await serverPid(shared.folder), 'SIGKILL');
    expect(await server.lost).toMatch(
      /^The PostgreSQL server \(process \d+\) ended unexpectedly: signal SIGKILL; see /,
    );
    await server.stop();
    const again = await startServer(shared);
    expect(await query(again.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('rotates a log over 10 MB, reports the reason of a failed start in one line, and leaves no process', async () => {
    const log = path.join(shared.folder, 'postgres.log');
    await writeFile(log, 'x'.repeat(11 * 1024 * 1024));
    expect(await startFailure({ ...shared, settings: { shared_buffers: 'plenty' } })).toMatch(
      /^PostgreSQL in .* does not start: invalid value .*"shared_buffers": "plenty"/,
    );
    expect(serversBelow(shared.folder)).toEqual([]);
    expect((await stat(log)).size).toBeLessThan(10_000);
    expect((await stat(`${log}.1`)).size).toBe(11 * 1024 * 1024);
  });

  it('names the lock file to remove if it cannot be locked', async () => {
    const lock = path.join(shared.folder, 'owner.lock');
    await lose(lock);
    await mkdir(lock);
    expect(await startFailure(shared)).toMatch(/owner.lock cannot be locked .*remove that file/);
  });
});

/** Moves a file or folder of the shared data folder away until the end of the test. */
async function lose(file: string): Promise<void> {
  const aside = path.join(path.dirname(shared.folder), randomUUID());
  await rename(file, aside);
  onTestFinished(async () => {
    await rm(file, { recursive: true, force: true });
    await rename(aside, file);
  });
}

describe('Incompletely restored data folder', () => {
  const inCluster = (...parts: string[]) => path.join(shared.folder, 'postgres', ...parts);

  /** Returns why a start is rejected before it launches a server. */
  async function refusal(transport: 'socket' | 'tcp' = 'socket'): Promise<string> {
    const layout = await prepareLayout(shared.folder);
    const failure = await prepareServer(layout, { transport }).catch((error) => error);
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect(failure.message).not.toContain('\n');
    return failure.message;
  }

  it('is rejected, not reinitialised, when its cluster is missing, empty or a broken link', async () => {
    await lose(inCluster());
    expect(await startFailure(shared)).toMatch(
      /postgres is missing, but postgres.password and postgres.log of it are there: restore /,
    );
    await mkdir(inCluster());
    expect(await refusal()).toMatch(/postgres is empty, but postgres.password and postgres.log /);
    await rm(inCluster(), { recursive: true });
    await lose(path.join(shared.folder, 'postgres.log'));
    expect(await refusal()).toMatch(
      /but postgres.password of it is there: restore .*, or remove postgres.password to begin/,
    );
    await lose(path.join(shared.folder, 'postgres.password'));
    await symlink('/nowhere/postgres', inCluster());
    expect(await refusal()).toMatch(/postgres is a link to a missing folder: mount the disk/);
    await rm(inCluster());
    // The next start would create a cluster.
    expect(await clusterVersion(await prepareLayout(shared.folder))).toBeUndefined();
  });

  it.each<[string, string, ((place: string) => Promise<unknown>) | undefined, RegExp]>([
    [
      'lacks pg_control',
      'global/pg_control',
      undefined,
      /incomplete \(missing: global\/pg_control\): restore the whole data folder/,
    ],
    ['lacks pg_wal', 'pg_wal', undefined, /missing: pg_wal\)/],
    ['lacks the files in pg_wal', 'pg_wal', (place) => mkdir(place), /missing: the files in pg_wal\)/],
    ['lacks the disk of pg_wal', 'pg_wal', (place) => symlink('/nowhere', place), /missing: pg_wal\)/],
    [
      'lacks a tablespace',
      'pg_tblspc',
      (place) => mkdir(place).then(() => symlink('/nowhere', path.join(place, '16999'))),
      /missing: the target of pg_tblspc\/16999\)/,
    ],
    ['lacks an empty folder', 'pg_notify', undefined, /missing: pg_notify\)/],
    [
      'lacks PG_VERSION',
      'PG_VERSION',
      undefined,
      /is not empty and holds no PostgreSQL database: move it away, or/,
    ],
    [
      'lacks the content of PG_VERSION',
      'PG_VERSION',
      (place) => writeFile(place, ''),
      /is damaged \(PG_VERSION holds no version\): restore/,
    ],
    [
      'lacks all but PG_VERSION',
      '.',
      (place) => mkdir(place).then(() => writeFile(path.join(place, 'PG_VERSION'), '18\n')),
      /missing: base, global\/pg_control, pg_commit_ts and \d+ more\)/,
    ],
    [
      'is a foreign folder',
      '.',
      (place) => mkdir(place).then(() => writeFile(path.join(place, 'thesis.txt'), 'do not lose')),
      /is not empty and holds no PostgreSQL database: move it away, or/,
    ],
    ['is a file', '.', (place) => writeFile(place, ''), /postgres is not a folder: move it away, or/],
    [
      'was made by PostgreSQL 17',
      'PG_VERSION',
      (place) => writeFile(place, '17\n'),
      /^The database in .* was made by PostgreSQL 17, but PostgreSQL 18 is installed: .*backup FILE.*restore FILE/,
    ],
    [
      'was made by PostgreSQL 19',
      'PG_VERSION',
      (place) => writeFile(place, '19\n'),
      /was made by PostgreSQL 19, but PostgreSQL 18 is installed: /,
    ],
  ])('is rejected with one line and left unchanged when its cluster %s', async (_, part, replace, line) => {
    await lose(inCluster(part));
    await replace?.(inCluster(part));
    const before = await readdir(shared.folder, { recursive: true });
    expect(await refusal()).toMatch(line);
    expect(await readdir(shared.folder, { recursive: true })).toEqual(before);
  });

  it('requires the right password file for TCP', async () => {
    const file = path.join(shared.folder, 'postgres.password');
    await lose(file);
    expect(await refusal('tcp')).toMatch(/postgres.password is missing or empty, .*: restore it/);
    await writeFile(file, '');
    expect(await refusal('tcp')).toMatch(/postgres.password is missing or empty, .*: restore it/);
    await writeFile(file, 'another\n');
    expect(await startFailure({ ...shared, transport: 'tcp' })).toMatch(
      /password in .* is not that of the database .*: restore both/,
    );
    expect(serversBelow(shared.folder)).toEqual([]);
  });
});

describe('Start after an interrupted start', () => {
  it('completes the creation from every step at which it was interrupted', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const password = path.join(folder, 'postgres.password');
    const halfDone = path.join(folder, 'postgres.new-0badcafe', 'cluster');
    await mkdir(halfDone, { recursive: true });
    await writeFile(path.join(halfDone, 'PG_VERSION'), '18\n');
    await writeFile(`${password}.new`, 'of the broken attempt\n');
    await (await startServer({ folder, transport: 'tcp' })).stop();
    // Only the last rename is missing.
    await rename(password, `${password}.new`);
    const server = await startServer({ folder, transport: 'tcp' });
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(folder)).filter((name) => name.includes('.new'))).toEqual([]);
  });

  it('works after one was killed while it created the cluster, and one while its server started', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const isCreating = async () =>
      (await readdir(folder).catch(() => [])).some((name) => name.startsWith('postgres.new-'));
    const isStarting = async () => existsSync(path.join(folder, 'postgres', 'postmaster.pid'));
    for (const moment of [isCreating, isStarting]) {
      const victim = startChildServer(folder);
      await expect.poll(moment, { interval: 5 }).toBe(true);
      await victim.kill();
    }
    const server = await startServer({ folder });
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(serversBelow(folder)).toHaveLength(1);
    await server.stop();
    expect(serversBelow(folder)).toEqual([]);
  });
});
