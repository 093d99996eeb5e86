import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { newFolder, removeFolder } from './server-process.ts';

const { run, startServing: start } = processes();
const database = await createDatabase('migrated');
const startServing = (settings: Record<string, string>) =>
  start({ DATABASE_URL: databaseUrl(database), ...settings });

/** Runs a start that fails with exit code 1, and returns its only line. */
async function refusal(settings: Record<string, string>, folder?: string): Promise<string> {
  const server = run(settings, undefined, folder);
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect([server.stdout, server.errorLines.length]).toEqual(['', 1]);
  return server.stderr;
}

describe('a bad setting ends the start with one line that names it', () => {
  // config.test.ts tests which values each setting takes.
  it('if DATABASE_URL is invalid, without its password', async () => {
    const line = await refusal({ DATABASE_URL: 'mysql://root:hunter2@localhost/classledger' });
    expect(line).toMatch(/^DATABASE_URL .*postgres:\/\//);
    expect(line).not.toContain('hunter2');
  });

  it('if DATA_DIR cannot hold the secret of the installation', async () => {
    const line = await refusal({ DATABASE_URL: databaseUrl(database), DATA_DIR: '/dev/null/data' });
    expect(line).toMatch(/secret .* \(ENOTDIR.*\): set SECRET_KEY, or set DATA_DIR to a folder/);
  });

  it('if HOST has no address on this machine', async () => {
    const HOST = 'no-such-host.invalid';
    expect(await refusal({ DATABASE_URL: databaseUrl(database), HOST })).toContain(HOST);
  });

  it('if it comes from .env, or .env cannot be read', async () => {
    const own = newFolder();
    writeFileSync(join(own, '.env'), 'LOG_LEVEL=loud\n');
    expect(await refusal({}, own)).toContain('LOG_LEVEL');
    rmSync(join(own, '.env'));
    mkdirSync(join(own, '.env'));
    expect(await refusal({}, own)).toMatch(/\.env cannot be read: /);
    await removeFolder(own);
  });
});

describe('the start-up line', () => {
  it('names the address once requests are served, and is the only line on stdout if an administrator exists', async () => {
    const port = String(await freePort());
    const first = await startServing({
      ADMIN_PASSWORD: 'correct horse battery',
      LOG_LEVEL: 'fatal',
      PORT: port,
    });
    const isHealthy = async ({ address }: typeof first) => (await fetch(`${address}/healthz`)).status === 200;
    expect(first.address).toBe(`http://127.0.0.1:${port}`);
    const line = await refusal({ DATABASE_URL: databaseUrl(database), PORT: port });
    expect(line).toMatch(new RegExp(`address already in use.*${port}`));
    expect(await isHealthy(first)).toBe(true);
    const server = await startServing({});
    expect(await isHealthy(server)).toBe(true);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    // PORT=0 selects a free port.
    expect(server.stdout).toMatch(/^Classledger is ready at http:\/\/127\.0\.0\.1:[1-9]\d*\n$/);
    const version = expect.stringMatching(/^\d/);
    expect(server.logged).toMatchObject([
      { level: 30, event: 'started', address: server.address, database: 'DATABASE_URL', version },
      { level: 30, event: 'stopping', reason: 'SIGTERM' },
      { level: 30, event: 'stopped', ms: expect.any(Number) },
    ]);
  });
});

describe('a warning of a library', () => {
  it('is one line, and an unreachable database is another, without its password', async () => {
    const server = run({ DATABASE_URL: 'postgres://clerk:hunter2@127.0.0.1:1/x?sslmode=require' });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.errorLines).toEqual([
      expect.stringMatching(/^Warning: .*'sslmode=verify-full'/),
      expect.stringMatching(/^The database cannot be reached: .*ECONNREFUSED/),
    ]);
    expect(server.stderr).not.toContain('hunter2');
  });
});

describe('the command line', () => {
  const command = async (words: string) => {
    const done = run({ DATABASE_URL: databaseUrl(database) }, words);
    const { code } = await done.ended;
    return { code, stdout: done.stdout, stderr: done.stderr };
  };

  it.each([
    ['help', { code: 0, stdout: expect.stringMatching(/serve[\s\S]+migrate[\s\S]+verify/) }],
    ['explode', { code: 2, stderr: expect.stringMatching(/Unknown command "explode"/) }],
    [
      'verify',
      { code: 0, stdout: '0 students and 0 live records: all totals follow from the ledger\n', stderr: '' },
    ],
    ['reset-admin nobody', { code: 1, stdout: '', stderr: 'The administrator "nobody" was not found\n' }],
    ['reset-admin', { code: 2, stdout: '' }],
    [
      'reset-admin admin',
      { code: 0, stdout: expect.stringMatching(/^New password of admin: [0-9A-Za-z]{16}\n$/) },
    ],
  ])('"classledger %s" ends with its exit code and output', async (words, expected) => {
    expect(await command(words)).toMatchObject(expected);
  });
});
