import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { migrationLock } from './advisory-locks.ts';
import type { Transaction } from './connect.ts';
import { up as schools } from './migrations/0001-schools.ts';
import { up as days } from './migrations/0002-days.ts';
import { up as accounts } from './migrations/0003-accounts.ts';
import { up as signIn } from './migrations/0004-sign-in.ts';
import { up as scores } from './migrations/0005-scores.ts';
import { up as classroom } from './migrations/0006-classroom.ts';
import { up as credentials } from './migrations/0007-credentials.ts';
import { up as changes } from './migrations/0008-changes.ts';
import { up as promotions } from './migrations/0009-promotions.ts';
import { up as imports } from './migrations/0010-imports.ts';
import { up as importRuns } from './migrations/0011-import-runs.ts';
import { up as teaching } from './migrations/0012-teaching.ts';
import { up as schoolDays } from './migrations/0014-school-days.ts';
import type { Tables } from './tables.ts';

/** All migrations, in the order of their names. Never edit a released one. */
export const migrations = {
  '0001-schools': { up: schools },
  '0002-days': { up: days },
  '0003-accounts': { up: accounts },
  '0004-sign-in': { up: signIn },
  '0005-scores': { up: scores },
  '0006-classroom': { up: classroom },
  '0007-credentials': { up: credentials },
  '0008-changes': { up: changes },
  '0009-promotions': { up: promotions },
  '0010-imports': { up: imports },
  '0011-import-runs': { up: importRuns },
  '0012-teaching': { up: teaching },
  '0014-school-days': { up: schoolDays },
};

/** The last migration that a program must know. Raise it when a migration removes something that older programs use. */
export const neededMigration = '0010-imports';

export const migrationNames: readonly string[] = Object.keys(migrations).toSorted();

export async function executedMigrations(pool: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows: found } = await pool.query("SELECT to_regclass('kysely_migration') IS NOT NULL AS found");
  if (!found[0].found) return [];
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

export async function migrationNeeded(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query(
    "SELECT obj_description(to_regclass('kysely_migration'), 'pg_class') AS needed",
  );
  return rows[0].needed;
}

/** Migrates the database in one transaction under a lock that all processes share. Returns the migrations that ran. */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  // Kysely reads the tables before it takes its lock. A transaction holds ours, because a pooler may share sessions.
  return db.transaction().execute(async (holder) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(holder);
    await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(holder);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsWithComment() } });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/** Migrates in the caller's transaction, under its migration lock. @param to.schema first schema of the search path */
export async function migrateInTransaction(
  tx: Transaction,
  to: { readonly last?: string | undefined; readonly schema?: string | undefined } = {},
): Promise<void> {
  const migrator = new Migrator({
    db: tx,
    provider: { getMigrations: async () => migrationsWithComment() },
    ...(to.schema === undefined ? {} : { migrationTableSchema: to.schema }),
  });
  const { error } = await (to.last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to.last));
  if (error) throw error;
}

/**
 * Returns the migrations. The last one also stores `neededMigration` as a table comment, where older programs read it.
 */
function migrationsWithComment(): Record<string, Migration> {
  const all: Record<string, Migration> = migrations;
  const name = migrationNames.at(-1) as string;
  const up = async (db: Kysely<unknown>) => {
    await all[name]?.up(db);
    await sql`COMMENT ON TABLE kysely_migration IS ${sql.lit(neededMigration)}`.execute(db);
  };
  return { ...all, [name]: { up } };
}
