import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { distributeNewTable, distributeTables, planDistribution } from '../../src/database/distribute.ts';
import { migrateToLatest } from '../../src/database/migrate.ts';
import { schoolTables } from '../../src/database/tables.ts';
import { newFolder, removeFolder, ServerProcess } from '../server-process.ts';
import { withClient } from '../with-client.ts';
import { createWithCitus, dropDistributed, type Node } from './cluster.ts';

const nodes = inject('citus')?.nodes as readonly [Node, Node, ...Node[]];
const [coordinator, worker] = nodes;
const made: string[] = [];

afterAll(async () => {
  for (const name of made) await dropDistributed(nodes, name);
});

async function withCitus(): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  made.push(name);
  await createWithCitus(nodes, name);
  return name;
}

async function migrated(): Promise<string> {
  const database = await withCitus();
  const connection = connectDatabase({ ...coordinator, database });
  await migrateToLatest(connection.db);
  await connection.end();
  return database;
}

async function run(database: string, { host, port, user, password = '' }: Node = coordinator, option = '') {
  const folder = newFolder();
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`;
  const command = new ServerProcess({ DATABASE_URL: url }, folder, `distribute${option}`);
  const { code } = await command.ended;
  await removeFolder(folder);
  return { code, stdout: command.stdout, stderr: command.stderr.trim() };
}

const ask = <Row extends pg.QueryResultRow>(database: string, text: string, values: unknown[] = []) =>
  withClient({ ...coordinator, database }, async (client) => (await client.query<Row>(text, values)).rows);

const distributed = async (database: string) =>
  (
    await ask<{ name: string }>(
      database,
      `SELECT table_name::text AS name FROM citus_tables WHERE citus_table_type = 'distributed' AND distribution_column = 'school_id'
       ORDER BY 1`,
    )
  ).map(({ name }) => name);

describe('classledger distribute', () => {
  it('prints its plan, distributes every row unchanged, and has nothing to do the second time', async () => {
    const database = await migrated();
    await ask(
      database,
      `WITH s AS (INSERT INTO school (name, created_at) SELECT 'School ' || n, now() FROM generate_series(1, 20) n RETURNING id)
       INSERT INTO grade (school_id, name, created_at) SELECT id, 'Grade', now() FROM s`,
    );
    const before = await ask(database, 'SELECT * FROM grade ORDER BY id');
    const plan = await run(database, coordinator, ' --plan');
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    expect(plan.stdout).toContain('distributed by school_id: grade, class,');
    expect(await distributed(database)).toEqual([]);
    expect(await run(database)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('The data is distributed.'),
    });
    expect(await distributed(database)).toEqual(expect.arrayContaining([...schoolTables]));
    expect(await ask(database, 'SELECT * FROM grade ORDER BY id')).toEqual(before);
    expect((await run(database)).stdout).toContain('there is nothing to do');
    const [next] = await ask<{ id: number }>(
      database,
      `INSERT INTO grade (school_id, name, created_at) VALUES (1, 'Next', now()) RETURNING id::int`,
    );
    expect(next?.id).toBe(21);
  });

  it('co-locates all tables, so that the data of a school is in one shard', async () => {
    const database = await migrated();
    await run(database);
    const rows = await ask<{ groups: number }>(
      database,
      `SELECT count(DISTINCT colocation_id)::int AS groups FROM citus_tables WHERE citus_table_type = 'distributed'`,
    );
    expect(rows).toEqual([{ groups: 1 }]);
  });

  it('leaves the schema as it was when it is interrupted, and can run again', async () => {
    const database = await migrated();
    const schemaOf = () =>
      ask(
        database,
        'SELECT conrelid::regclass::text AS t, pg_get_constraintdef(oid) AS d FROM pg_constraint ORDER BY 1, 2',
      );
    const before = await schemaOf();
    await withClient({ ...coordinator, database }, async (client) => {
      client.on('error', () => {});
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const plan = await planDistribution(client);
      const work = distributeTables(client, plan, (line) => {
        if (line.startsWith('student '))
          void ask(database, 'SELECT pg_terminate_backend($1::int)', [rows[0]?.pid]);
      });
      await expect(work).rejects.toThrow();
    }).catch(() => {});
    expect(await distributed(database)).toEqual([]);
    expect(await schemaOf()).toEqual(before);
    expect((await run(database)).code).toBe(0);
  });

  it('distributes the tables that an upgrade added', async () => {
    const database = await migrated();
    await run(database);
    // Simulates an upgrade whose new tables are not distributed yet.
    for (const table of ['class_day', 'sign_in_flow']) {
      const [key] = await ask<{ name: string }>(
        database,
        `SELECT conname AS name FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'f'`,
      );
      await ask(database, `ALTER TABLE ${table} DROP CONSTRAINT ${key?.name}`);
      await ask(database, `SELECT undistribute_table('${table}')`);
    }
    expect((await run(database)).stdout).toContain('distributed by school_id: class_day, sign_in_flow\n');
    expect(await distributed(database)).toEqual(expect.arrayContaining([...schoolTables]));
  });

  it('accepts a migration that adds a table of school data with foreign keys', async () => {
    const database = await migrated();
    await run(database);
    const { db, end } = connectDatabase({ ...coordinator, database });
    await db.transaction().execute(async (tx) => {
      await sql`CREATE TABLE diary (school_id bigint NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY,
        student_id bigint, PRIMARY KEY (school_id, id))`.execute(tx);
      await distributeNewTable(tx as unknown as Kysely<unknown>, 'diary', [
        'FOREIGN KEY (school_id) REFERENCES school (id)',
        'FOREIGN KEY (school_id, student_id) REFERENCES student (school_id, id) ON DELETE SET NULL (student_id)',
      ]);
      await sql`ALTER TABLE diary ADD COLUMN text text`.execute(tx);
      await sql`UPDATE diary SET text = ''`.execute(tx);
      await sql`ALTER TABLE diary ALTER COLUMN text SET NOT NULL`.execute(tx);
    });
    await end();
    expect(await distributed(database)).toContain('diary');
    const keys = await ask(
      database,
      `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = 'diary'::regclass AND contype = 'f'`,
    );
    expect(keys).toEqual([{ key: 'FOREIGN KEY (school_id, student_id) REFERENCES student(school_id, id)' }]);
  });

  it('refuses in one line a database that it cannot distribute', async () => {
    const expectRefused = async (database: string, says: RegExp, node?: Node) =>
      expect(await run(database, node)).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
    const database = await migrated();
    await expectRefused('postgres', /^The database "postgres" has no Citus: .*$/);
    await expectRefused(database, /^DATABASE_URL names a worker of Citus: .*$/, worker);
    await expectRefused(await withCitus(), /^The database has no schema, .*"classledger migrate" first$/);
    await ask(database, `INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')`);
    await expectRefused(database, /^The database has the schema of a newer Classledger .*$/);
    await ask(database, `DELETE FROM kysely_migration WHERE name = '9999-later'`);
    const running = connectDatabase({ ...coordinator, database });
    await running.db.selectFrom('school').select('id').execute();
    await expectRefused(database, /^Classledger is running on this database .*$/);
    await running.end();
    await ask(database, `SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid > 0`);
    await expectRefused(database, /^Citus knows no worker .*$/);
  });
});
