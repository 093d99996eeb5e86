import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { query, serversBelow, sharedDataFolder, startFailure, startServer } from './testing/test-servers.ts';

describe('Incompletely restored data folder', () => {
  const shared = sharedDataFolder();
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
