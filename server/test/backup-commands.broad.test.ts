import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunningServer } from '@classledger/embedded-postgres';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectDatabase } from '../src/database/connect.ts';
import { loadSchool } from '../src/demo/load-school.ts';
import { everythingIn } from './backups.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { ServerProcess } from './server-process.ts';
import { withClient } from './with-client.ts';

const common = { LOG_LEVEL: 'fatal', ADMIN_PASSWORD: 'correct horse battery' };
const { folder, run, startServing } = processes(common);
const source = { DATA_DIR: join(folder, 'source') };
const backup = join(folder, 'the.backup');
const records = 20_000;
const done = { code: 0, signal: null };
const refused = { code: 1, signal: null };
const proven = /^\d+ students and \d+ live records: all totals follow from the ledger$/;

/** Matches progress lines, which a slow command prints every two seconds. */
const isProgress = (line: string) => /^\w+: [\d,]+( of about [\d,]+)? rows$/.test(line);

async function command(words: string, settings: Record<string, string>) {
  const process = run(settings, words);
  const ended = await process.ended;
  const errors = process.errorLines.filter((line) => !isProgress(line));
  return { ended, lines: process.stdout.split('\n').filter(Boolean), errors };
}

const expectRefused = async (words: string, settings: Record<string, string>, says: RegExp) =>
  expect(await command(words, settings)).toMatchObject({
    ended: refused,
    errors: [expect.stringMatching(says)],
  });

let rows = '';
/** Serves the source, so that a command finds its database running. */
let office: ServerProcess;

beforeAll(async () => {
  office = await ServerProcess.startServing({ ...common, ...source }, folder);
  const connection = connectDatabase((await findRunningServer(source.DATA_DIR)) as pg.PoolConfig);
  await loadSchool(connection.db, new Date(), records);
  await connection.end();
  const made = await command(`backup ${backup}`, source);
  expect(made).toMatchObject({ ended: done, errors: [] });
  const printed = /^Backup: (\d+) rows, \S+ MiB, \S+ s, SHA-256 ([0-9a-f]{64}): .*the\.backup$/;
  const [, count = '', sha256] = printed.exec(made.lines[0] ?? '') ?? [];
  rows = count;
  expect(sha256).toBe(createHash('sha256').update(readFileSync(backup)).digest('hex'));
  expect(Number(rows)).toBeGreaterThan(records);
  const proof = await command('verify', source);
  expect(proof).toMatchObject({ ended: done, lines: [expect.stringMatching(proven)] });
  expect(await office.login('admin', common.ADMIN_PASSWORD)).toBe(200);
});
afterAll(async () => {
  if (!office.hasEnded) await office.kill();
});

describe('backup', () => {
  it('overwrites no file and leaves no unfinished file behind', async () => {
    const before = readFileSync(backup);
    await expectRefused(`backup ${backup}`, source, /the\.backup exists already: choose another name$/);
    expect(readFileSync(backup).equals(before)).toBe(true);
    await expectRefused(`backup ${folder}/nowhere/file`, source, /^The backup cannot be written: ENOENT/);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('refuses standard output under npm run, and ends in one line when the reader closes the pipe', async () => {
    const byNpm = await command('backup -', { ...source, npm_lifecycle_event: 'backup' });
    expect([byNpm.lines, byNpm.errors]).toEqual([[], [expect.stringMatching(/npm run -s backup -- -/)]]);
    const main = join(import.meta.dirname, '../src/main.js');
    const piped = `"${process.execPath}" "${main}" backup - | head -c 100`;
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...source };
    const { stderr } = spawnSync('bash', ['-c', piped], { env, cwd: folder, encoding: 'utf8' });
    const errors = stderr
      .trim()
      .split('\n')
      .filter((line) => !isProgress(line));
    expect(errors).toEqual([expect.stringMatching(/^The backup cannot be written: .*EPIPE/)]);
  });

  it('prints the usage with exit code 2 on wrong arguments, as restore does', async () => {
    for (const words of ['backup a b', 'restore --sudo a']) {
      const { ended, errors } = await command(words, source);
      expect([words, ended, errors.length]).toEqual([words, { code: 2, signal: null }, 1]);
      expect(errors[0]).toMatch(/^Name the file: (backup|restore) FILE/);
    }
  });

  it('replaces the unfinished file of a killed backup, but not one that another backup is writing', async () => {
    const name = 'twice.backup';
    const draft = join(folder, `${name}.unfinished`);
    writeFileSync(draft, 'of another', { mode: 0o644 });
    await expectRefused(`backup ${join(folder, name)}`, source, /is being written by another backup/);
    expect(readFileSync(draft, 'utf8')).toBe('of another');
    utimesSync(draft, 0, 0);
    // This one starts the database by itself.
    await office.stop();
    expect(await command(`backup ${join(folder, name)}`, source)).toMatchObject({ ended: done });
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });
});

describe('restore of a missing file', () => {
  it('fails in one line and creates no database', async () => {
    const DATA_DIR = join(folder, 'untouched');
    await expectRefused(`restore ${folder}/nowhere`, { DATA_DIR }, /^The backup cannot be read: ENOENT/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

describe('a killed restore', () => {
  /** Kills a restore that has read half of the file and is copying rows. */
  async function halfDone(
    settings: Record<string, string>,
    database: () => Promise<pg.PoolConfig | undefined>,
  ) {
    const pipe = join(mkdtempSync(join(folder, 'half-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const restore = run(settings, `restore ${pipe}`);
    const content = readFileSync(backup);
    const writer: FileHandle = await open(pipe, 'w');
    await writer.write(content.subarray(0, Math.floor(content.length / 2)));
    let target: pg.PoolConfig | undefined;
    await expect
      .poll(async () => {
        target ??= await database();
        if (!target) return 0;
        const copying = `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND query LIKE 'COPY%'`;
        return withClient(target, async (client) => (await client.query(copying)).rowCount);
      })
      .toBe(1);
    await restore.kill();
    await writer.close();
    return target as pg.PoolConfig;
  }

  it('leaves a PostgreSQL database empty, and the next restore is complete', async () => {
    const name = await createDatabase('empty');
    const settings = { DATABASE_URL: databaseUrl(name) };
    const target = { ...inject('postgres'), database: name };
    await halfDone(settings, async () => target);
    await expect.poll(() => everythingIn(target)).toEqual([]);
    const again = await command(`restore ${backup}`, settings);
    expect(again.ended).toEqual(done);
    expect(again.lines).toEqual([
      expect.stringMatching(proven),
      expect.stringMatching(new RegExp(`^Restored ${rows} rows of the backup of `)),
      expect.stringMatching(/^Everybody must sign in again\. .* revoked .* erased/),
      expect.stringMatching(/SECRET_KEY/),
    ]);
  });

  it('does not disturb the next restore of an embedded database that was killed with it', async () => {
    const settings = { DATA_DIR: join(folder, 'target') };
    await halfDone(settings, () => findRunningServer(settings.DATA_DIR));
    const postmaster = readFileSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
    const again = await command(`restore ${backup}`, settings);
    expect([again.ended, again.ended.code === 0 ? [] : again.errors]).toEqual([done, []]);
    const server = await startServing(settings);
    expect(await server.login('admin', common.ADMIN_PASSWORD)).toBe(200);
    expect(await command('verify', settings)).toMatchObject({
      ended: done,
      lines: [expect.stringMatching(proven)],
    });
    await expectRefused(`restore ${backup}`, settings, /is in use by another running Classledger/);
    await server.stop();
    await expectRefused(`restore ${backup}`, settings, /^The database already holds data/);
  });
});
