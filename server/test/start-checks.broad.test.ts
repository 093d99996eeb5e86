import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/commands/open-database.ts';
import { readConfig } from '../src/config.ts';
import { DatabaseUnusableError } from '../src/database/database-unusable.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';
import { withClient } from './with-client.ts';

const folder = newFolder();
const roles: string[] = [];

afterAll(async () => {
  for (const name of roles) await on('postgres', `DROP ROLE ${name}`);
  await removeFolder(folder);
});

async function on(database: string, ...statements: string[]): Promise<pg.QueryResult[]> {
  return withClient({ ...inject('postgres'), database }, async (client) => {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  });
}

/** A database with a locale of its own. */
const databaseWith = (options: string) => createDatabase('empty', `TEMPLATE template0 ${options}`);

/** A role that may log in and nothing else. */
async function newRole(): Promise<string> {
  const name = `r_${randomUUID().replaceAll('-', '')}`;
  await on('postgres', `CREATE ROLE ${name} LOGIN`);
  roles.push(name);
  return name;
}

/** DATABASE_URL of a role: no password is asked for on the test run's socket. */
function urlOf(database: string, role: string): string {
  return databaseUrl(database).replace(/\/\/[^@]*@/, `//${role}@`);
}

async function open(url: string): Promise<void> {
  const database = await openDatabase(readConfig({ DATABASE_URL: url }));
  await database.close();
}

/** The one line with which a start ends. */
async function refusal(url: string): Promise<string> {
  const error = await open(url).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(DatabaseUnusableError);
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  return message;
}

async function tablesOf(database: string): Promise<string[]> {
  const [found] = await on(
    database,
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return found?.rows.map((row) => row.tablename) ?? [];
}

describe('a start refuses in one line, and changes nothing in, a database', () => {
  it.each(['LATIN1', 'SQL_ASCII', 'EUC_CN'])('with the encoding %s', async (encoding) => {
    const name = await databaseWith(`ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`);
    expect(await refusal(databaseUrl(name))).toMatch(
      new RegExp(`has the encoding ${encoding}.*use one with the encoding UTF8`),
    );
    expect(await tablesOf(name)).toEqual([]);
  });

  it('in whose locale names would not be found without regard to case', async () => {
    const name = await databaseWith(`ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`);
    expect(await refusal(databaseUrl(name))).toMatch(/has a locale such as C .* use one with another locale/);
    expect(await tablesOf(name)).toEqual([]);
    await open(databaseUrl(await databaseWith(`ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'und'`)));
  });

  it('that is read-only for the role, by whatever setting', async () => {
    const name = await createDatabase('migrated');
    await on('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await refusal(databaseUrl(name))).toMatch(/is read-only for the role .* turn that off/);
    await on('postgres', `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await open(databaseUrl(name));
  });

  it('with tables of another program, and leaves no trace in it', async () => {
    const name = await createDatabase('empty');
    await on(name, 'CREATE TABLE school (id int)', 'CREATE TABLE courses (id int)');
    expect(await refusal(databaseUrl(name))).toMatch(/holds tables of another program \(school\)/);
    expect(await tablesOf(name)).toEqual(['courses', 'school']);
  });

  it('that is a worker of Citus, where the coordinator has put tables', async () => {
    const name = await createDatabase('empty');
    await on(
      name,
      'CREATE TABLE school (id int)',
      'CREATE TABLE pg_dist_local_group (groupid int)',
      'INSERT INTO pg_dist_local_group VALUES (2)',
    );
    expect(await refusal(databaseUrl(name))).toMatch(/names a worker of Citus: name the coordinator/);
  });

  it('with the migrations of another program', async () => {
    const name = await createDatabase('empty');
    await on(name, 'CREATE TABLE kysely_migration (name text)', `INSERT INTO kysely_migration VALUES ('x')`);
    expect(await refusal(databaseUrl(name))).toMatch(/holds tables of another program \(kysely_migration\)/);
  });

  it('with a table of another program in the way of a later migration', async () => {
    const name = await createDatabase('empty');
    // Not a name of ours, but of an index that is created.
    await on(name, 'CREATE TABLE student_by_class (id int)');
    expect(await refusal(databaseUrl(name))).toMatch(/something of another program .*student_by_class/);
  });

  it('with the schema of a newer release', async () => {
    const name = await createDatabase('migrated');
    const newer = `INSERT INTO kysely_migration VALUES ('9999-teleport', '2030-01-01')`;
    await on(name, newer, `COMMENT ON TABLE kysely_migration IS '9999-teleport'`);
    expect(await refusal(databaseUrl(name))).toMatch(
      /schema of a newer Classledger \(9999-teleport\): run that release/,
    );
  });

  it('with the schema of a newer release that does not say what it needs', async () => {
    const name = await createDatabase('migrated');
    const newer = `INSERT INTO kysely_migration VALUES ('9999-teleport', '2030-01-01')`;
    await on(name, newer, 'COMMENT ON TABLE kysely_migration IS NULL');
    expect(await refusal(databaseUrl(name))).toMatch(/schema of a newer Classledger/);
  });

  it('that has lost tables', async () => {
    const name = await createDatabase('migrated');
    await on(name, 'DROP TABLE audit_record');
    expect(await refusal(databaseUrl(name))).toMatch(/lacks tables that it had \(audit_record\)/);
  });

  it('in whose schema the role may not create what is missing', async () => {
    const [name, role] = [await createDatabase('empty'), await newRole()];
    const url = urlOf(name, role);
    const granted = `GRANT CREATE ON SCHEMA "public" TO "${role}"`;
    expect(await refusal(url)).toContain(granted);
    expect(await tablesOf(name)).toEqual([]);
    await on(name, 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
    expect(await refusal(url)).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`);
    // What the lines say is what helps; all that the role has then are its own tables.
    await on(name, `GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`);
    await open(url);
    await on(name, `REVOKE CREATE ON SCHEMA public FROM "${role}"`);
    await open(url);
    await on(name, `DROP OWNED BY ${role}`);
  });

  it('whose tables the role may not change, and takes it with those rights and no others', async () => {
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

  it('that is a standby', async () => {
    const data = join(folder, 'standby');
    await (await openDatabase(readConfig({ DATA_DIR: data }))).close();
    writeFileSync(join(data, 'postgres', 'standby.signal'), '');
    const server = new ServerProcess({ DATA_DIR: data }, folder);
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.stdout).toBe('');
    expect(server.errorLines).toEqual([
      expect.stringMatching(/is on a standby server, which is read-only: use the primary server, or promote/),
    ]);
  });
});

it('a start takes the schema of a newer release that has only added to it', async () => {
  const name = await createDatabase('migrated');
  await on(
    name,
    `INSERT INTO kysely_migration VALUES ('9999-teleport', '2030-01-01')`,
    'CREATE TABLE pad (id int)',
  );
  await open(databaseUrl(name));
  expect(await tablesOf(name)).toContain('pad');
});
