import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './embedded-postgres.ts';
import { query, serversBelow, sharedDataFolder, start, temporaryFolder } from './testing/workplace.ts';

describe('a data folder of which a restore has left out a part', () => {
  const shared = sharedDataFolder();
  const inCluster = (...parts: string[]) => path.join(shared.path, 'postgres', ...parts);

  /** Leaves something out until the test is over. */
  async function lose(file: string): Promise<void> {
    const aside = path.join(path.dirname(shared.path), randomUUID());
    await rename(file, aside);
    onTestFinished(async () => {
      await rm(file, { recursive: true, force: true });
      await rename(aside, file);
    });
  }

  async function refusal(folder: string, transport: 'socket' | 'tcp' = 'socket'): Promise<string> {
    const failure = await startEmbeddedPostgres({ folder, transport }).catch((error) => error);
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect(failure.message).not.toContain('\n');
    expect(await serversBelow(folder)).toEqual([]);
    return failure.message;
  }

  it('is refused, not begun anew, when its cluster is missing, empty, or a link to nowhere', async () => {
    const folder = shared.path;
    await lose(inCluster());
    const remains = /but postgres.password and postgres.log of it are there: restore /;
    expect(await refusal(folder)).toMatch(remains);
    expect(await refusal(folder)).toMatch(/postgres is missing/);
    await mkdir(inCluster());
    expect(await refusal(folder)).toMatch(remains);
    expect(await refusal(folder)).toMatch(/postgres is empty/);
    await rm(inCluster(), { recursive: true });
    await lose(path.join(folder, 'postgres.log'));
    expect(await refusal(folder)).toMatch(
      /but postgres.password of it is there: restore .*, or remove postgres.password to begin/,
    );
    await lose(path.join(folder, 'postgres.password'));
    await symlink('/nowhere/postgres', inCluster());
    expect(await refusal(folder)).toMatch(/postgres is a link to a place that is not there: mount the disk/);
    await rm(inCluster());
    // What the lines say is what helps.
    expect(await startEmbeddedPostgres({ folder }).then((server) => server.stop())).toBeUndefined();
  });

  it('needs nothing but its cluster and its password', async () => {
    const folder = shared.path;
    for (const name of await readdir(folder)) {
      if (!['postgres', 'postgres.password'].includes(name))
        await rm(path.join(folder, name), { recursive: true });
    }
    const server = await start({ folder, transport: 'tcp' });
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
      /missing: what pg_tblspc\/16999 links to\)/,
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
      'its being a folder',
      '.',
      (place) => writeFile(place, ''),
      /postgres is not a folder: move it away, or/,
    ],
  ])('is refused in one line when its cluster lacks %s', async (_, part, replace, line) => {
    await lose(inCluster(part));
    await replace?.(inCluster(part));
    expect(await refusal(shared.path)).toMatch(line);
  });

  it('needs its password over TCP, and the right one', async () => {
    const folder = shared.path;
    const file = path.join(folder, 'postgres.password');
    await lose(file);
    expect(await refusal(folder, 'tcp')).toMatch(/postgres.password is missing or empty, .*: restore it/);
    await writeFile(file, '');
    expect(await refusal(folder, 'tcp')).toMatch(/postgres.password is missing or empty, .*: restore it/);
    await writeFile(file, 'another\n');
    expect(await refusal(folder, 'tcp')).toMatch(
      /password in .* is not that of the database .*: restore both/,
    );
  });

  it('is not kept from starting by what is left of its lock file', async () => {
    const folder = shared.path;
    const lock = path.join(folder, 'owner.lock');
    await writeFile(lock, 'garbage'.repeat(1_000));
    const server = await startEmbeddedPostgres({ folder });
    await expect(startEmbeddedPostgres({ folder })).rejects.toThrow('is in use by another running');
    await server.stop();
    await lose(lock);
    await mkdir(lock);
    expect(await refusal(folder)).toMatch(/owner.lock cannot be locked .*remove that file/);
  });
});

describe('a first start that was interrupted', () => {
  it('is made good by the next one, at whatever step it broke off', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const password = path.join(folder, 'postgres.password');
    // An earlier release had put down the password before the cluster, and was creating that.
    await mkdir(path.join(folder, 'postgres.new-0badcafe', 'cluster'), { recursive: true });
    await writeFile(password, 'of the earlier release\n');
    // An attempt of this one had chosen its password.
    await writeFile(`${password}.new`, 'of the earlier attempt\n');
    await (await start({ folder, transport: 'tcp' })).stop();
    // All was there but the name of the password.
    await rename(password, `${password}.new`);
    await (await start({ folder, transport: 'tcp' })).stop();
    expect(await readdir(folder)).not.toContain('postgres.password.new');
  });
});
