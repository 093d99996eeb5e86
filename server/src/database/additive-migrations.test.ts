import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { createDatabase } from '../../test/own-database.ts';
import { openConnection } from '../../test/test-app.ts';
import { migrateToLatest, migrationNames, migrations, neededMigration } from './migrate.ts';

/** The last migration of release 1.0.0. */
const firstRelease = '0010-imports';

// Keys are printed by the failed test; values say why older programs still work. A value for a removal names the
// release that stopped using the removed part; that release must know `neededMigration`.
const allowed: Readonly<Record<string, string>> = {
  "0012-teaching: admin CHECK ((role = ANY (ARRAY['super_admin'::text, 'school_admin'::text, 'grade_admin'::text, 'class_admin'::text, 'teacher'::text]))) is new":
    'allows one more role',
};

const connection = openConnection({ database: await createDatabase('empty') });

interface Schema {
  readonly present: ReadonlySet<string>;
  /** Constraints and unique indexes, by table. */
  readonly conditions: ReadonlyMap<string, string>;
  /** Columns that an INSERT must name, by table. */
  readonly required: ReadonlyMap<string, string>;
}

async function schema(pool: pg.Pool): Promise<Schema> {
  const rowsOf = async (text: string) =>
    (await pool.query<{ line: string; of: string }>(text)).rows.map(({ line, of }) => [line, of] as const);
  const columns = await rowsOf(`
    SELECT format('%s.%s %s', table_name, column_name, data_type) AS line, table_name AS of
      FROM information_schema.columns WHERE table_schema = current_schema()`);
  const conditions = await rowsOf(`
    SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) AS line, conrelid::regclass::text AS of
      FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype IN ('c', 'f', 'x')
    UNION ALL SELECT format('%s unique %s', indrelid::regclass, regexp_replace(pg_get_indexdef(indexrelid), '.*USING ', '')),
      indrelid::regclass::text
      FROM pg_index JOIN pg_class c ON c.oid = indrelid
      WHERE indisunique AND c.relnamespace = current_schema()::regnamespace`);
  const required = await rowsOf(`
    SELECT format('%s.%s must be given', table_name, column_name) AS line, table_name AS of
      FROM information_schema.columns
      WHERE table_schema = current_schema() AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'`);
  return {
    present: new Set(columns.map(([line]) => line)),
    conditions: new Map(conditions),
    required: new Map(required),
  };
}

it('a failed migration leaves the schema unchanged', async () => {
  // Another program's table that blocks a later migration.
  await connection.pool.query('CREATE TABLE api_token (id int)');
  await expect(migrateToLatest(connection.db)).rejects.toThrow('api_token');
  const { rows } = await connection.pool.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'",
  );
  expect(rows).toEqual([{ tablename: 'api_token' }]);
  await connection.pool.query('DROP TABLE api_token');
});

it('migrations succeed after a failure, and since the first release they remove and require nothing that older programs use', async () => {
  const migrator = new Migrator({
    db: connection.db as Kysely<unknown>,
    provider: { getMigrations: async () => migrations },
  });
  const newOnes = migrationNames.filter((name) => name > firstRelease);
  const reached = async (name: string) => {
    const { error } = await migrator.migrateTo(name);
    if (error) throw error;
    return schema(connection.pool);
  };
  let before = await reached(firstRelease);
  const broken: string[] = [];
  for (const name of newOnes) {
    const after = await reached(name);
    const tables = new Set([...before.present].map((line) => line.split('.')[0] as string));
    for (const line of before.present) if (!after.present.has(line)) broken.push(`${name}: ${line} is gone`);
    for (const kind of ['conditions', 'required'] as const) {
      for (const [line, of] of after[kind]) {
        if (tables.has(of) && !before[kind].has(line)) broken.push(`${name}: ${line} is new`);
      }
    }
    before = after;
  }
  expect(await migrateToLatest(connection.db)).toEqual([]);
  expect(broken.filter((line) => allowed[line] === undefined)).toEqual([]);
  expect(Object.keys(allowed).filter((line) => !broken.includes(line))).toEqual([]);
});

it('the migrations are listed in order and include neededMigration', () => {
  expect(Object.keys(migrations)).toEqual(migrationNames);
  expect(migrationNames).toContain(neededMigration);
});
