import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { installationSecret } from '../src/access/installation-secret.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { ensureFirstAdmin } from '../src/features/administrators/operator-access.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { freePort, newFolder, removeFolder } from './server-process.ts';

const { run, startServing } = processes();
const database = await createDatabase('migrated');
const DATABASE_URL = databaseUrl(database);

beforeAll(async () => {
  const connection = connectDatabase({ ...inject('postgres'), database });
  await ensureFirstAdmin(connection.db, 'admin', null, new Date());
  await connection.end();
});

/** Runs a start that fails with exit code 1, and returns its only line. */
async function refusal(settings: Record<string, string>, folder?: string): Promise<string> {
  const server = run(settings, undefined, folder);
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect([server.stdout, server.errorLines.length]).toEqual(['', 1]);
  return server.stderr;
}

describe('a bad setting ends the start with one line that names it', () => {
  // config.test.ts tests which values each setting takes.
  it('if DATA_DIR cannot hold the secret of the installation', () => {
    expect(() => installationSecret(null, '/dev/null/data')).toThrow(
      /secret .* \(ENOTDIR.*\): set SECRET_KEY, or set DATA_DIR to a folder/,
    );
  });

  it('if HOST has no address on this machine', async () => {
    const HOST = 'no-such-host.invalid';
    expect(await refusal({ DATABASE_URL, HOST })).toContain(HOST);
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

it('the start-up line names the address once requests are served, and is the only line on stdout if an administrator exists', async () => {
  const PORT = String(await freePort());
  const server = await startServing({ DATABASE_URL, PORT });
  expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(server.stdout).toBe(`Classledger is ready at http://127.0.0.1:${PORT}\n`);
  const version = expect.stringMatching(/^\d/);
  expect(server.logged).toMatchObject([
    { level: 30, event: 'started', address: server.address, database: 'DATABASE_URL', version },
    { level: 30, event: 'stopping', reason: 'SIGTERM' },
    { level: 30, event: 'stopped', ms: expect.any(Number) },
  ]);
});

it('a warning of a library is one line, and an unreachable database is another, without its password', async () => {
  const server = run({ DATABASE_URL: 'postgres://clerk:hunter2@127.0.0.1:1/x?sslmode=require' });
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.errorLines).toEqual([
    expect.stringMatching(/^Warning: .*'sslmode=verify-full'/),
    expect.stringMatching(/^The database cannot be reached: .*ECONNREFUSED/),
  ]);
  expect(server.stderr).not.toContain('hunter2');
});

it.each([
  ['help', { code: 0, stdout: expect.stringMatching(/serve[\s\S]+migrate[\s\S]+verify/) }],
  ['explode', { code: 2, stderr: expect.stringMatching(/Unknown command "explode"/) }],
  ['backup a b', { code: 2, stdout: '', stderr: expect.stringMatching(/^Name the file: backup FILE.*\n$/) }],
  ['reset-admin nobody', { code: 1, stdout: '', stderr: 'The administrator "nobody" was not found\n' }],
  ['reset-admin', { code: 2, stdout: '' }],
  [
    'reset-admin admin',
    { code: 0, stdout: expect.stringMatching(/^New password of admin: [0-9A-Za-z]{16}\n$/) },
  ],
])('"classledger %s" ends with its exit code and output', async (words, expected) => {
  const done = run({ DATABASE_URL }, words);
  const { code } = await done.ended;
  expect({ code, stdout: done.stdout, stderr: done.stderr }).toMatchObject(expected);
});
