import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from './process-identity.ts';
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
  it('starts on an empty folder, accepts connections, and is gone after stop', async () => {
    const folder = path.join(await temporaryFolder(), 'deep', 'data');
    const server = await startServer({ folder });
    expect(server.wasTakenOver).toBe(false);
    const [row] = await query(
      server.connection,
      `SELECT current_database() AS database, current_setting('server_encoding') AS encoding,
              current_setting('data_checksums') AS checksums, current_setting('listen_addresses') AS addresses,
              current_setting('synchronous_commit') AS commits, current_setting('fsync') AS fsync`,
    );
    expect(row).toEqual({
      database: 'classledger',
      encoding: 'UTF8',
      checksums: 'on',
      addresses: '',
      commits: 'on',
      fsync: 'on',
    });
    await server.stop();
    expect(await serversBelow(folder)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual([
      'owner.lock',
      'postgres',
      'postgres.log',
      'postgres.password',
      'socket',
    ]);
    expect(await readFile(path.join(folder, 'postgres.log'), 'utf8')).not.toMatch(/ERROR|FATAL|PANIC/);
  });

  it('keeps committed data across a restart', async () => {
    const first = await startServer(shared);
    await query(first.connection, `CREATE TABLE score AS SELECT 'Zoë' AS name, 17 AS points`);
    await first.stop();
    const second = await startServer(shared);
    expect(await query(second.connection, 'SELECT * FROM score')).toEqual([{ name: 'Zoë', points: 17 }]);
  });

  it('stops once when stop is called repeatedly and in parallel, even with clients connected', async () => {
    const server = await startServer(shared);
    const busy = query(server.connection, 'SELECT pg_sleep(30)').catch((error) => error);
    await waitUntilSleeping(server.connection);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(await busy).toBeInstanceOf(Error);
    expect(await serversBelow(shared.folder)).toEqual([]);
    const again = await startServer(shared);
    expect(await query(again.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('reports the loss of a killed server, and starts again', async () => {
    const server = await startServer(shared);
    await query(server.connection, 'CREATE TABLE kept (id int)');
    process.kill(await serverPid(shared.folder), 'SIGKILL');
    expect(await server.lost).toMatch(
      /^The PostgreSQL server \(process \d+\) ended unexpectedly: signal SIGKILL; see /,
    );
    await server.stop();
    const again = await startServer(shared);
    expect(await query(again.connection, 'SELECT * FROM kept')).toEqual([]);
  });

  it('does not report its own stop as a loss', async () => {
    const server = await startServer(shared);
    let loss: string | undefined;
    void server.lost.then((reason) => {
      loss = reason;
    });
    const pid = await serverPid(shared.folder);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    // By now, listeners know that the process has ended.
    await setImmediate();
    expect(loss).toBeUndefined();
  });

  it('runs in its own session, out of reach of Ctrl-C', async () => {
    await startServer(shared);
    const pid = await serverPid(shared.folder);
    const [, , group, session] = (await readFile(`/proc/${pid}/stat`, 'utf8'))
      .replace(/^.*\) /, '')
      .split(' ');
    expect([Number(group), Number(session)]).toEqual([pid, pid]);
  });

  it('applies the given settings over its defaults', async () => {
    const server = await startServer({
      ...shared,
      settings: { shared_buffers: '16MB', max_connections: '7' },
    });
    expect(
      await query(
        server.connection,
        `SELECT name, setting FROM pg_settings WHERE name IN ('jit', 'shared_buffers', 'max_connections')
          ORDER BY name`,
      ),
    ).toEqual([
      { name: 'jit', setting: 'off' },
      { name: 'max_connections', setting: '7' },
      { name: 'shared_buffers', setting: '2048' },
    ]);
  });

  it('reports the reason of a failed start in one line, and leaves no process', async () => {
    expect(await startFailure({ ...shared, settings: { shared_buffers: 'plenty' } })).toMatch(
      /^PostgreSQL in .* does not start: invalid value .*"shared_buffers": "plenty"/,
    );
    expect(await serversBelow(shared.folder)).toEqual([]);
    await expect(startServer(shared)).resolves.toBeDefined();
  });

  it('rejects settings that would open the database or lose track of it', async () => {
    expect(await startFailure({ ...shared, settings: { Listen_Addresses: '*' } })).toContain(
      'does not let these settings be changed: Listen_Addresses',
    );
  });

  it.each(['17', '19'])('rejects a database of PostgreSQL %s and says how to go on', async (major) => {
    const versionFile = path.join(shared.folder, 'postgres', 'PG_VERSION');
    await writeFile(versionFile, `${major}\n`);
    onTestFinished(() => writeFile(versionFile, '18\n'));
    expect(await startFailure(shared)).toMatch(
      new RegExp(
        `^The database in .* was made by PostgreSQL ${major}, but PostgreSQL 18 is installed: .*backup FILE.*restore FILE`,
      ),
    );
    expect(await readFile(versionFile, 'utf8')).toBe(`${major}\n`);
  });

  it('creates the product database when an earlier start was interrupted before that', async () => {
    const first = await startServer(shared);
    await query({ ...first.connection, database: 'postgres' }, 'DROP DATABASE classledger');
    await first.stop();
    const second = await startServer(shared);
    expect(await query(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('rotates a server log over 10 MB to postgres.log.1', async () => {
    await writeFile(path.join(shared.folder, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024));
    await startServer(shared);
    expect((await stat(path.join(shared.folder, 'postgres.log'))).size).toBeLessThan(10_000);
    expect((await stat(path.join(shared.folder, 'postgres.log.1'))).size).toBe(11 * 1024 * 1024);
  });
});

describe('Incompletely restored data folder', () => {
  const inCluster = (...parts: string[]) => path.join(shared.folder, 'postgres', ...parts);

  async function lose(file: string): Promise<void> {
    const aside = path.join(path.dirname(shared.folder), randomUUID());
    await rename(file, aside);
    onTestFinished(async () => {
      await rm(file, { recursive: true, force: true });
      await rename(aside, file);
    });
  }

  async function refused(transport: 'socket' | 'tcp' = 'socket'): Promise<string> {
    const line = await startFailure({ ...shared, transport });
    expect(await serversBelow(shared.folder)).toEqual([]);
    return line;
  }

  it('is rejected, not reinitialised, when its cluster is missing, empty or a broken link', async () => {
    await lose(inCluster());
    const remains = /but postgres.password and postgres.log of it are there: restore /;
    expect(await refused()).toMatch(remains);
    expect(await refused()).toMatch(/postgres is missing/);
    await mkdir(inCluster());
    expect(await refused()).toMatch(remains);
    expect(await refused()).toMatch(/postgres is empty/);
    await rm(inCluster(), { recursive: true });
    await lose(path.join(shared.folder, 'postgres.log'));
    expect(await refused()).toMatch(
      /but postgres.password of it is there: restore .*, or remove postgres.password to begin/,
    );
    await lose(path.join(shared.folder, 'postgres.password'));
    await symlink('/nowhere/postgres', inCluster());
    expect(await refused()).toMatch(/postgres is a link to a missing folder: mount the disk/);
    await rm(inCluster());
    await (await startServer(shared)).stop();
  });

  it('is rejected and left unchanged when a foreign folder stands in place of its cluster', async () => {
    await lose(inCluster());
    await mkdir(inCluster());
    await writeFile(inCluster('thesis.txt'), 'do not lose');
    expect(await refused()).toMatch(/is not empty and holds no PostgreSQL database: move it away, or/);
    expect(await readdir(inCluster())).toEqual(['thesis.txt']);
  });

  it('starts with only its cluster and its password', async () => {
    for (const name of await readdir(shared.folder)) {
      if (!['postgres', 'postgres.password'].includes(name))
        await rm(path.join(shared.folder, name), { recursive: true });
    }
    const server = await startServer({ ...shared, transport: 'tcp' });
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.each<[string, string, ((place: string) => Promise<unknown>) | undefined, RegExp]>([
    [
      'pg_control',
      'global/pg_control',
      undefined,
      /incomplete \(missing: global\/pg_control\): restore the whole data folder/,
    ],
    ['pg_wal', 'pg_wal', undefined, /missing: pg_wal\)/],
    ['the files in pg_wal', 'pg_wal', (place) => mkdir(place), /missing: the files in pg_wal\)/],
    ['the disk of pg_wal', 'pg_wal', (place) => symlink('/nowhere', place), /missing: pg_wal\)/],
    [
      'a tablespace',
      'pg_tblspc',
      (place) => mkdir(place).then(() => symlink('/nowhere', path.join(place, '16999'))),
      /missing: the target of pg_tblspc\/16999\)/,
    ],
    ['an empty folder', 'pg_notify', undefined, /missing: pg_notify\)/],
    [
      'PG_VERSION',
      'PG_VERSION',
      undefined,
      /is not empty and holds no PostgreSQL database: move it away, or/,
    ],
    [
      'the content of PG_VERSION',
      'PG_VERSION',
      (place) => writeFile(place, ''),
      /is damaged \(PG_VERSION holds no version\): restore/,
    ],
    [
      'all but PG_VERSION',
      '.',
      (place) => mkdir(place).then(() => writeFile(path.join(place, 'PG_VERSION'), '18\n')),
      /missing: base, global\/pg_control, pg_commit_ts and \d+ more\)/,
    ],
    [
      'its folder, with a file in its place',
      '.',
      (place) => writeFile(place, ''),
      /postgres is not a folder: move it away, or/,
    ],
  ])('is rejected with one line when its cluster lacks %s', async (_, part, replace, line) => {
    await lose(inCluster(part));
    await replace?.(inCluster(part));
    expect(await refused()).toMatch(line);
  });

  it('requires the right password file for TCP', async () => {
    const file = path.join(shared.folder, 'postgres.password');
    await lose(file);
    expect(await refused('tcp')).toMatch(/postgres.password is missing or empty, .*: restore it/);
    await writeFile(file, '');
    expect(await refused('tcp')).toMatch(/postgres.password is missing or empty, .*: restore it/);
    await writeFile(file, 'another\n');
    expect(await refused('tcp')).toMatch(/password in .* is not that of the database .*: restore both/);
  });

  it('starts despite a damaged lock file, and rejects a directory in its place', async () => {
    const lock = path.join(shared.folder, 'owner.lock');
    await writeFile(lock, 'garbage'.repeat(1_000));
    const server = await startServer(shared);
    expect(await startFailure(shared)).toContain('is in use by another running');
    await server.stop();
    await lose(lock);
    await mkdir(lock);
    expect(await refused()).toMatch(/owner.lock cannot be locked .*remove that file/);
  });
});
