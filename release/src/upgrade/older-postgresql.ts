import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningServer } from '@classledger/embedded-postgres';
import { startOlderServer } from '@classledger/embedded-postgres/testing/older-server';
import { installationSecret } from '../../../server/src/access/installation-secret.ts';
import { connectDatabase } from '../../../server/src/database/connect.ts';
import { migrateToLatest } from '../../../server/src/database/migrate.ts';
import { loadSchool } from '../../../server/src/demo/load-school.ts';
import { ensureFirstAdmin } from '../../../server/src/features/administrators/first-admin.ts';
import { contentOf } from '../../../server/test/backups.ts';
import { eventually } from '../../../server/test/eventually.ts';
import { ServerProcess } from '../../../server/test/server-process.ts';

const password = 'correct horse battery';
const older = '17';
const records = 20_000;
const refused = { code: 1, signal: null };
const clean = { code: 0, signal: null };

/** Upgrades an embedded database of an older PostgreSQL, with kills during backup and restore. */
export async function runOlderPostgresql(folder: string): Promise<void> {
  const data = join(folder, 'data');
  process.env.npm_config_cache = join(folder, 'npm-cache');
  const settings = {
    DATA_DIR: data,
    DATABASE_URL: '',
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'error',
    PORT: '0',
    BACKUP_KEEP: '0',
    ...npmSettings(),
  };
  const running: ServerProcess[] = [];
  const run = (command?: string, more = {}) => {
    const server = new ServerProcess({ ...settings, ...more }, folder, command);
    running.push(server);
    return server;
  };
  try {
    const before = await fillOlder(data, join(folder, 'programs'));
    const secret = readFileSync(join(data, 'secret.key'), 'utf8');
    const verify = run('verify');
    assert.deepEqual(await verify.ended, refused);
    assert.match(
      verify.stderr,
      /^DATA_DIR: .* by PostgreSQL 17, but .*: start the server on it, which upgrades it; .*\n$/,
    );
    const offline = run(undefined, {
      npm_config_registry: 'http://127.0.0.1:9/',
    });
    assert.deepEqual(await offline.ended, refused);
    assert.match(
      offline.stderr,
      /^DATA_DIR: the database was not upgraded and stays as it was: .*npm.*"classledger backup FILE".*\n$/,
    );
    for (const line of ['Backing the database up', 'Building the indexes']) {
      const server = run();
      await eventually(line, () => server.hasEnded || server.stdout.includes(line), 300_000);
      server.signal('SIGKILL');
      await server.ended;
      assert.equal(versionIn(join(data, 'postgres')), older);
    }
    // Like a kill before the last renames: the new database is complete, but not in use.
    mkdirSync(join(data, 'postgres.upgraded'));
    const upgraded = run();
    await upgraded.ready();
    assert.match(upgraded.stdout, /^The database now uses PostgreSQL \S+\. That of PostgreSQL 17 stays in /m);
    const target = await findRunningServer(data);
    assert.ok(target);
    const after = await contentOf(target);
    assert.deepEqual(Object.keys(after), Object.keys(before));
    for (const [table, rows] of Object.entries(before)) assert.deepEqual(after[table], rows, table);
    assert.equal(readFileSync(join(data, 'secret.key'), 'utf8'), secret);
    assert.equal(await signIn(upgraded), 200);
    assert.deepEqual(await upgraded.stop(), clean, upgraded.stderr);
    assert.ok(existsSync(join(data, 'backups/before-upgrade-of-postgresql.backup')));
    assert.equal(versionIn(join(data, `postgres-${older}`)), older);
    const left = readdirSync(data).filter((name) => name.startsWith('postgres.upgrade'));
    assert.deepEqual(left, []);
    assert.deepEqual(serversBelow(data), []);
    // Like a kill between the last two renames.
    renameSync(join(data, 'postgres'), join(data, 'postgres.upgraded'));
    const proof = run('verify');
    assert.deepEqual(await proof.ended, clean, proof.stderr);
    console.log(`From PostgreSQL ${older} to ${versionIn(join(data, 'postgres'))}: ${proof.stdout.trim()}`);
  } finally {
    for (const server of running) if (!server.hasEnded) await server.stop();
  }
}

function npmSettings(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => /^npm_config_|_proxy$|_CERT/i.test(name));
  return Object.fromEntries(own) as Record<string, string>;
}

async function fillOlder(data: string, programs: string): Promise<Record<string, string[]>> {
  const server = await startOlderServer(data, older, programs);
  try {
    installationSecret(null, data);
    const connection = connectDatabase({ ...server.connection, ssl: false });
    try {
      await migrateToLatest(connection.db);
      await ensureFirstAdmin(connection.db, 'admin', password, new Date());
      await loadSchool(connection.db, new Date(), records);
    } finally {
      await connection.end();
    }
    return await contentOf(server.connection);
  } finally {
    await server.stop();
  }
}

/** Reads /proc; where it is missing, the list is empty. */
function serversBelow(folder: string): string[] {
  const processes = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return processes.flatMap((id) => {
    try {
      const line = readFileSync(join('/proc', id, 'cmdline'), 'utf8').replaceAll('\0', ' ');
      return line.includes(`-D ${folder}/`) ? [line] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

const versionIn = (cluster: string) => readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();

async function signIn(server: ServerProcess): Promise<number> {
  const answer = await fetch(`${server.address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  return answer.status;
}
