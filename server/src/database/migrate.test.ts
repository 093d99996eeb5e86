import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../test/own-database.ts';
import { openConnection, openDatabase } from '../../test/test-app.ts';
import { migrationLock } from './advisory-locks.ts';
import type { DatabaseConnection } from './connect.ts';
import { migrateToLatest } from './migrate.ts';
import { schoolTables as distributedTables, tableNames } from './tables.ts';

async function schemaOf({ pool }: DatabaseConnection): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1`);
  return rows.map((row) => row.line);
}

it('migrations run once each when several processes start on an empty database, and others read nothing meanwhile', async () => {
  const database = await createDatabase('empty');
  const first = openConnection({ database });
  const connections = [first, ...Array.from({ length: 5 }, () => openConnection({ database }))];
  const other = await first.pool.connect();
  await other.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  const migrated = connections.map(({ db }) => migrateToLatest(db));
  const waiting = `SELECT count(*)::int AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;
  await expect.poll(async () => (await other.query(waiting)).rows[0].n).toBe(6);
  expect(await schemaOf(first)).toEqual([]);
  await other.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
  other.release();

  const runs = await Promise.all(migrated);
  const { rows } = await first.pool.query('SELECT name FROM kysely_migration ORDER BY name');
  expect(runs.flat().sort()).toEqual(rows.map((row) => row.name));
  expect(runs.filter((run) => run.length > 0)).toHaveLength(1);
  const schema = await schemaOf(first);
  expect(schema.length).toBeGreaterThan(100);
  expect(await migrateToLatest(first.db)).toEqual([]);
  expect(await schemaOf(first)).toEqual(schema);
});

describe('School data in the schema', async () => {
  const { database } = await openDatabase();
  const rowsOf = async <Row extends pg.QueryResultRow>(text: string) =>
    (await database.pool.query<Row>(text)).rows;

  const ofInstallation = `
    admin admin_session announcement api_token application batch_writer code_app counted_event import_job
    kysely_migration kysely_migration_lock passkey rate_limit_window recovery_code school second_factor_role
    spent_challenge webhook`.split(/\s+/);

  async function schoolTables(): Promise<string[]> {
    const rows = await rowsOf<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    return rows.map((row) => row.name).filter((name) => !ofInstallation.includes(name));
  }

  it('tables of school data are distributed on Citus, and all other tables belong to the installation', async () => {
    const rows = await rowsOf<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname NOT LIKE 'kysely%'`,
    );
    const names = rows.map((row) => row.name).sort();
    expect(names).toEqual([...tableNames].sort());
    expect(names.filter((name) => !ofInstallation.includes(name))).toEqual([...distributedTables].sort());
  });

  it('every primary key and index of school data begins with school_id, except the listed indexes', async () => {
    const indexes = await rowsOf<{ table: string; index: string; first: string; primary: boolean }>(
      `SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS index, i.indisprimary AS primary,
         (SELECT attname FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]) AS first
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace`,
    );
    const tables = await schoolTables();
    const ofSchools = indexes.filter((index) => tables.includes(index.table));
    // A sign-in without a school searches all schools, and super administrators read the logs of all schools by time.
    const others = ofSchools.filter((index) => index.first !== 'school_id');
    const names = new Set(
      others.map(({ index }) => index.replace(/_(default|\d{8})_created_at_id_idx$/, '_by_time')),
    );
    expect([...names].sort()).toEqual(['activity_by_time', 'audit_record_by_time', 'student_by_username']);
    const keyed = ofSchools.filter((index) => index.primary).map((index) => index.table);
    expect(keyed.sort()).toEqual(tables);
  });

  it('references between school data name school_id and id together, so none leads to another school', async () => {
    const references = await rowsOf<{ from: string; key: string; to: string; columns: string }>(
      `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to,
         substring(pg_get_constraintdef(oid) FROM '^FOREIGN KEY (\\([^)]*\\))') AS key,
         substring(pg_get_constraintdef(oid) FROM 'REFERENCES \\w+(\\([^)]*\\))') AS columns
       FROM pg_constraint WHERE contype = 'f' AND conparentid = 0`,
    );
    const tables = await schoolTables();
    const toSchools = references.filter(({ to }) => tables.includes(to));
    for (const { key, columns } of toSchools) {
      expect(key).toMatch(/^\(school_id, /);
      expect(columns).toBe('(school_id, id)');
    }
    const keys = toSchools.map(({ from, key, to }) => `${from} ${key} ${to}`);
    expect(keys).toEqual(
      expect.arrayContaining([
        'class (school_id, grade_id) grade',
        'student (school_id, class_id) class',
        'score_record (school_id, student_id) student',
        'template (school_id, class_id) class',
        'class_day (school_id, class_id) class',
        'seat (school_id, class_id) class',
        'admin (school_id, grade_id) grade',
        'admin (school_id, class_id) class',
      ]),
    );
  });
});
