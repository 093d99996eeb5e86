import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { eventually } from './eventually.ts';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';

const folder = newFolder();
const settings = {
  DATA_DIR: join(folder, 'data'),
  ADMIN_PASSWORD: 'correct horse battery',
  PORT: '0',
  LOG_LEVEL: 'error',
};

afterAll(() => removeFolder(folder));

/** Lists processes with the folder in their settings or arguments: server, database, npm, shell. */
async function processes(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const [args, environment] = [await read('cmdline'), await read('environ')];
    if (`${args}${environment}`.includes(folder)) found.push(`${pid} ${args.replaceAll('\0', ' ')}`);
  }
  return found;
}

const nothingRuns = () => eventually('nothing runs any more', async () => (await processes()).length === 0);
const isIn = (path: string) => existsSync(join(settings.DATA_DIR, path));
const creating = async () =>
  (await readdir(settings.DATA_DIR).catch(() => [])).some((name) => name.startsWith('postgres.new-'));

async function npmStart(): Promise<ServerProcess> {
  const npm = new ServerProcess(settings, resolve(import.meta.dirname, '../..'), 'start', ['npm']);
  onTestFinished(async () => {
    npm.signal('SIGKILL');
    for (const line of await processes()) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  });
  await npm.ready();
  return npm;
}

it.each<[string, () => boolean | Promise<boolean>, NodeJS.Signals[]]>([
  ['while the database is created', creating, ['SIGTERM']],
  ['while the database starts', () => isIn('postgres/postmaster.pid'), ['SIGTERM']],
  ['after several signals at once while it serves', () => false, ['SIGTERM', 'SIGINT', 'SIGHUP']],
])('a stopped server stops its embedded database %s', async (_when, moment, signals) => {
  const server = new ServerProcess(settings, folder);
  // On a busy machine the moment may pass unseen.
  await eventually('the moment has come', async () => (await moment()) || server.address !== null);
  for (const signal of signals) server.signal(signal);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
  expect(await processes()).toEqual([]);
  expect(isIn('postgres/postmaster.pid')).toBe(false);
});

describe('a server that npm started', () => {
  it('stops cleanly on SIGTERM to npm, and npm waits for it', async () => {
    const npm = await npmStart();
    const exit = once(npm.child, 'exit');
    npm.signal('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await processes()).toEqual([]);
  });

  it('stops cleanly when npm exits without forwarding the signal', async () => {
    const npm = await npmStart();
    npm.signal('SIGHUP');
    await nothingRuns();
    expect(isIn('postgres/postmaster.pid')).toBe(false);
  });

  it('replaces the shell of every npm script, so that signals from npm reach it', () => {
    const starting = Object.values(manifest.scripts).filter((script) => script.includes('classledger.js'));
    expect(starting).toHaveLength(8);
    // Without `exec`, dash stays between them: it ends at a signal and leaves the server behind.
    for (const script of starting)
      expect(script).toMatch(/^exec node server\/bin\/classledger\.js( [\w-]+)?$/);
  });
});
