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
import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest';
import { backup } from '../src/commands/backup.ts';
import { restore } from '../src/commands/restore.ts';
import { StopRequest } from '../src/commands/stop-request.ts';
import { verify } from '../src/commands/verify.ts';
import { readConfig } from '../src/config/config.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { loadSchool } from '../src/demo/load-school.ts';
import { ensureFirstAdmin } from '../src/features/administrators/operator-access.ts';
import { everythingIn } from './backups.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { withClient } from './with-client.ts';

const common = { LOG_LEVEL: 'fatal', ADMIN_PASSWORD: 'correct horse battery' };
const { folder, run, startServing } = processes(common);
const file = join(folder, 'the.backup');
const records = 20_000;
const done = { code: 0, signal: null };
const proven = /^\d+ students and \d+ live records: all totals follow from the ledger$/;
let source: { DATABASE_URL: string };
let made: Awaited<ReturnType<typeof command>>;

const printedBackup = /^Backup: (\d+) rows, \S+ MiB, \S+ s, SHA-256 ([0-9a-f]{64}): .*the\.backup$/;

/** Matches progress lines, which a slow command prints every two seconds. */
const isProgress = (line: string) => /^\w+: [\d,]+( of about [\d,]+)? rows$/.test(line);

async function command(words: string, settings: Record<string, string>) {
  const process = run(settings, words);
  const ended = await process.ended;
  const errors = process.errorLines.filter((line) => !isProgress(line));
  return { ended, lines: process.stdout.split('\n').filter(Boolean), errors };
}

/** Runs a command in this process. */
const runHere = (work: typeof backup, args: string[], settings: Record<string, string> = source) =>
  work(readConfig(settings), args, new StopRequest(() => 0));

beforeAll(async () => {
  const database = await createDatabase('migrated');
  source = { DATABASE_URL: databaseUrl(database) };
  const connection = connectDatabase({ ...inject('postgres'), database });
  await ensureFirstAdmin(connection.db, 'admin', common.ADMIN_PASSWORD, new Date());
  await loadSchool(connection.db, new Date(), records);
  await connection.end();
  // A killed backup left this file.
  writeFileSync(`${file}.unfinished`, 'unfinished', { mode: 0o644 });
  utimesSync(`${file}.unfinished`, 0, 0);
  made = await command(`backup ${file}`, source);
});

it('backup prints the digest of its file, which only its owner can read, and replaces that of a killed backup', () => {
  expect(made).toMatchObject({ ended: done, errors: [] });
  const [, rows, sha256] = printedBackup.exec(made.lines[0] ?? '') ?? [];
  expect(Number(rows)).toBeGreaterThan(records);
  expect(sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(existsSync(`${file}.unfinished`)).toBe(false);
});

it.each([
  ['onto an existing file', file, /the\.backup exists already: choose another name$/],
  ['into a missing folder', join(folder, 'nowhere', 'file'), /^The backup cannot be written: ENOENT/],
  ['into a file that another backup is writing', join(folder, 'twice'), /is being written by another backup/],
])('backup is rejected %s, and changes no file', async (_, target, line) => {
  writeFileSync(join(folder, 'twice.unfinished'), 'of another');
  const content = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);
  const before = content();
  await expect(runHere(backup, [target])).rejects.toThrow(line);
  expect(content()).toEqual(before);
});

it('backup is rejected on standard output under npm run, and ends in one line when the reader closes the pipe', async () => {
  vi.stubEnv('npm_lifecycle_event', 'backup').stubEnv('npm_config_loglevel', 'notice');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(runHere(backup, ['-'])).rejects.toThrow('npm run -s backup -- -');
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

it('restore is rejected with wrong arguments or without its file, and creates no database', async () => {
  const DATA_DIR = join(folder, 'untouched');
  await expect(runHere(restore, ['--sudo', 'a'], { DATA_DIR })).rejects.toThrow(
    'Name the file: restore FILE',
  );
  const missing = runHere(restore, [`${folder}/nowhere`], { DATA_DIR });
  await expect(missing).rejects.toThrow('The backup cannot be read: ENOENT');
  expect(existsSync(DATA_DIR)).toBe(false);
});

/** Kills a restore that has read half of the file and is copying rows. */
async function halfDone(
  settings: Record<string, string>,
  database: () => Promise<pg.PoolConfig | undefined>,
) {
  const pipe = join(mkdtempSync(join(folder, 'half-')), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const restore = run(settings, `restore ${pipe}`);
  const content = readFileSync(file);
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

it('a killed restore leaves a PostgreSQL database empty, and the next restore is complete', async () => {
  const name = await createDatabase('empty');
  const settings = { DATABASE_URL: databaseUrl(name) };
  const target = { ...inject('postgres'), database: name };
  await halfDone(settings, async () => target);
  await expect.poll(() => everythingIn(target)).toEqual([]);
  const again = await command(`restore ${file}`, settings);
  expect(again.ended).toEqual(done);
  const [, rows] = printedBackup.exec(made.lines[0] ?? '') ?? [];
  expect(again.lines).toEqual([
    expect.stringMatching(proven),
    expect.stringMatching(new RegExp(`^Restored ${rows} rows of the backup of `)),
    expect.stringMatching(/^Everybody must sign in again\. .* revoked .* erased/),
    expect.stringMatching(/SECRET_KEY/),
  ]);
});

it('a killed restore does not disturb the next restore of an embedded database that was killed with it, whose server then lets a backup in and no restore', async () => {
  const settings = { DATA_DIR: join(folder, 'target') };
  await halfDone(settings, () => findRunningServer(settings.DATA_DIR));
  const postmaster = readFileSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
  const again = await command(`restore ${file}`, settings);
  expect([again.ended, again.ended.code === 0 ? [] : again.errors]).toEqual([done, []]);
  const server = await startServing(settings);
  expect(await server.login('admin', common.ADMIN_PASSWORD)).toBe(200);
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  expect(await verify(readConfig(settings), new StopRequest(() => 0))).toBe(0);
  expect(await runHere(backup, [join(folder, 'again.backup')], settings)).toBe(0);
  expect(printed.mock.calls.map(([line]) => line)).toEqual([
    expect.stringMatching(proven),
    expect.stringMatching(/^Backup: .*again\.backup$/),
  ]);
  await expect(runHere(restore, [file], settings)).rejects.toThrow(
    'is in use by another running Classledger',
  );
  await server.stop();
  await expect(runHere(restore, [file], settings)).rejects.toThrow('The database already holds data');
});
