import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/commands/open-database.ts';
import { readConfig } from '../src/config/config.ts';
import { DatabaseUnusableError } from '../src/database/database-unusable.ts';
import { connect, DatabaseProxy } from './database-proxy.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { newFolder, removeFolder } from './server-process.ts';
import { withClient } from './with-client.ts';

const folder = newFolder();
const roles: string[] = [];

afterAll(async () => {
  for (const name of roles) await on('postgres', `DROP ROLE ${name}`);
  await removeFolder(folder);
});

const on = (database: string, ...statements: string[]) =>
  withClient({ ...inject('postgres'), database }, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

async function newRole(): Promise<string> {
  const name = `r_${randomUUID().replaceAll('-', '')}`;
  await on('postgres', `CREATE ROLE ${name} LOGIN`);
  roles.push(name);
  return name;
}

/** Returns the DATABASE_URL of a role; the socket of the test run needs no password. */
function urlOf(database: string, role: string): string {
  return databaseUrl(database).replace(/\/\/[^@]*@/, `//${role}@`);
}

async function open(where: string | Record<string, string>): Promise<void> {
  const database = await openDatabase(
    readConfig(typeof where === 'string' ? { DATABASE_URL: where } : where),
  );
  await database.close();
}

async function refusal(where: string | Record<string, string>): Promise<string> {
  const error = await open(where).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(DatabaseUnusableError);
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  return message;
}

const tablesOf = (database: string): Promise<string[]> =>
  withClient({ ...inject('postgres'), database }, async (client) => {
    const tables = `SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' ORDER BY 1`;
    return (await client.query(tables)).rows.map(({ tablename }) => tablename);
  });

const newer = `INSERT INTO kysely_migration VALUES ('9999-teleport', '2030-01-01')`;
const inLocale = (locale: string) => createDatabase('empty', `TEMPLATE template0 ${locale}`);

/** Creates a database and runs statements in it. */
async function databaseWith(content: 'empty' | 'migrated', statements: string): Promise<string> {
  const name = await createDatabase(content);
  await on(name, statements);
  return name;
}

describe('a start rejects a database in one line and leaves it unchanged', () => {
  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'has another encoding',
      () => inLocale(`ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`),
      /has the encoding LATIN1.*use one with the encoding UTF8/,
    ],
    [
      'cannot compare names without regard to case',
      () => inLocale(`ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`),
      /has a locale such as C .* use one with another locale/,
    ],
    [
      'holds tables of another program',
      () => databaseWith('empty', 'CREATE TABLE school (id int); CREATE TABLE courses (id int)'),
      /holds tables of another program \(school\)/,
    ],
    [
      'holds migrations of another program',
      () => databaseWith('empty', `CREATE TABLE kysely_migration AS SELECT 'x' AS name`),
      /holds tables of another program \(kysely_migration\)/,
    ],
    [
      'has a table of another program that blocks a later migration, because an index has its name',
      () => databaseWith('empty', 'CREATE TABLE student_by_class (id int)'),
      /something of another program .*student_by_class/,
    ],
    [
      'is a Citus worker',
      () =>
        databaseWith(
          'empty',
          'CREATE TABLE school (); CREATE TABLE pg_dist_local_group AS SELECT 2 AS groupid',
        ),
      /names a worker of Citus: name the coordinator/,
    ],
    [
      'has the schema of a newer release',
      () => databaseWith('migrated', `${newer}; COMMENT ON TABLE kysely_migration IS '9999-teleport'`),
      /schema of a newer Classledger \(9999-teleport\): run that release/,
    ],
    [
      'has the schema of a newer release that does not state what it needs',
      () => databaseWith('migrated', `${newer}; COMMENT ON TABLE kysely_migration IS NULL`),
      /schema of a newer Classledger/,
    ],
    [
      'has lost tables',
      () => databaseWith('migrated', 'DROP TABLE audit_record'),
      /lacks tables that it had \(audit_record\)/,
    ],
  ])('if it %s', async (_, create, says) => {
    const name = await create();
    const before = await tablesOf(name);
    expect(await refusal(databaseUrl(name))).toMatch(says);
    expect(await tablesOf(name)).toEqual(before);
  });

  it('but accepts an ICU locale', async () => {
    await open(databaseUrl(await inLocale(`ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'und'`)));
  });

  it('if it is read-only for the role', async () => {
    const name = await createDatabase('migrated');
    await on('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await refusal(databaseUrl(name))).toMatch(/is read-only for the role .* turn that off/);
    await on('postgres', `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await open(databaseUrl(name));
  });

  it('if the role may not create missing tables, and names the GRANT that is enough', async () => {
    const [name, role] = [await createDatabase('empty'), await newRole()];
    const url = urlOf(name, role);
    const granted = `GRANT CREATE ON SCHEMA "public" TO "${role}"`;
    expect(await refusal(url)).toContain(granted);
    expect(await tablesOf(name)).toEqual([]);
    await on(name, 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
    expect(await refusal(url)).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`);
    // The statement from the message is enough, and later starts need no CREATE.
    await on(name, `GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`);
    await open(url);
    await on(name, `REVOKE CREATE ON SCHEMA public FROM "${role}"`);
    await open(url);
    await on(name, `DROP OWNED BY ${role}`);
  });

  it('if the role lacks rights on tables, and names the GRANT that is enough', async () => {
    const [name, role] = [await createDatabase('migrated'), await newRole()];
    const url = urlOf(name, role);
    expect(await refusal(url)).toMatch(/lacks a right .*kysely_migration/);
    await on(name, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const granted = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "${role}"`;
    expect(await refusal(url)).toContain(granted);
    await on(name, granted, `REVOKE DELETE ON seat FROM ${role}`);
    expect(await refusal(url)).toMatch(/\(seat\): GRANT/);
    await on(name, granted);
    await open(url);
    await on(name, `DELETE FROM kysely_migration WHERE name LIKE '0004%'`);
    expect(await refusal(url)).toMatch(/may not create tables in the schema "public"/);
    await on(name, `GRANT CREATE ON SCHEMA public TO ${role}`);
    expect(await refusal(url)).toMatch(
      /may not change tables of another role .* start once with the role that/,
    );
    await on(name, `DROP OWNED BY ${role}`);
  });

  it('if it is a standby server', async () => {
    const DATA_DIR = join(folder, 'standby');
    await open({ DATA_DIR });
    writeFileSync(join(DATA_DIR, 'postgres', 'standby.signal'), '');
    expect(await refusal({ DATA_DIR })).toMatch(
      /is on a standby server, which is read-only: use the primary server, or promote/,
    );
  });
});

describe('a database that cannot be reached', () => {
  const secret = 'hunter2';

  /** Starts a server that lives until the end of the test, and returns its address. */
  async function strangeServer(answer: (socket: Socket) => unknown) {
    const server = createServer((socket) => answer(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  }

  /** Passes everything to the test database, and changes its version number to that of PostgreSQL 14. */
  async function oldDatabase(): Promise<string> {
    const address = await strangeServer((socket) => {
      const database = connect(inject('postgres')).on('error', () => {});
      socket.pipe(database).on('data', (bytes: Buffer) => {
        socket.write(bytes.toString('latin1').replace(/\b1[5-9]\d{4}\b/, '140005'), 'latin1');
      });
    });
    return databaseUrl(await createDatabase('empty'), address);
  }

  const url = (where: string) => `postgres://clerk:${secret}@${where}`;
  const urlOfServer = async (firstAnswer: string, options = '') => {
    const { host, port } = await strangeServer((socket) =>
      socket.once('data', () => socket.end(firstAnswer)),
    );
    return url(`${host}:${port}/x${options}`);
  };

  it.each([
    ['/dev/null/data', /^DATA_DIR: .*data folder/],
    ['/proc/nowhere', /^DATA_DIR: .*data folder .*ENOENT: no such file.* choose/],
  ])('is reported in one line if its data folder cannot be at %s', async (DATA_DIR, says) => {
    expect(await refusal({ DATA_DIR })).toMatch(says);
  });

  it.each<[string, () => Promise<string> | string, RegExp]>([
    ['that is too old', oldDatabase, /PostgreSQL 15 or newer/],
    [
      'that does not speak PostgreSQL',
      () => urlOfServer('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /cannot be reached: ./,
    ],
    [
      'that has no TLS',
      () => urlOfServer('N', '?sslmode=verify-full'),
      /cannot be reached: .*not support SSL/,
    ],
    ['where nobody listens', () => url('127.0.0.1:1/x'), /cannot be reached: .*ECONNREFUSED/],
    ['where nobody listens at either address', () => url('localhost:1/x'), /cannot be reached: .+/],
    ['whose host has no address', () => url('no-such-host.invalid/x'), /cannot be reached: .+/],
    ['that does not exist', () => databaseUrl('no_such_database'), /cannot be reached: .*does not exist/],
    [
      'that goes away during the checks',
      async () => {
        const proxy = await DatabaseProxy.start(inject('postgres'));
        onTestFinished(() => proxy.close());
        proxy.cutConnectionsSending('ILIKE');
        return databaseUrl(await createDatabase('migrated'), proxy.address);
      },
      /cannot be reached: .*terminated/,
    ],
  ])('%s is reported in one line without its password', async (_, where, says) => {
    const line = await refusal(await where());
    expect(line).toMatch(says);
    expect(line).not.toContain(secret);
  });
});

it('a start accepts the schema of a newer release that only adds to it', async () => {
  await open(databaseUrl(await databaseWith('migrated', `${newer}; CREATE TABLE pad (id int)`)));
});
