import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { migrationLock } from './advisory-locks.ts';
import type { Transaction } from './connect.ts';
import { up as schoolData } from './migrations/0001-school-data.ts';
import { up as access } from './migrations/0002-access.ts';
import { up as schoolLife } from './migrations/0003-school-life.ts';
import { up as recordsByAuthor } from './migrations/0004-records-by-author.ts';
import { up as batchWriters } from './migrations/0005-batch-writers.ts';
import { up as announceStructure } from './migrations/0006-announce-structure.ts';
import { up as accounts } from './migrations/0007-accounts.ts';
import { up as secondFactors } from './migrations/0008-second-factors.ts';
import { up as signInProviders } from './migrations/0009-sign-in-providers.ts';
import { up as privacy } from './migrations/0010-privacy.ts';
import { up as signInCodes } from './migrations/0011-sign-in-codes.ts';
import { up as announceWhom } from './migrations/0012-announce-whom.ts';
import { up as rateLimits } from './migrations/0013-rate-limits.ts';
import { up as countedEvents } from './migrations/0014-counted-events.ts';
import { up as days } from './migrations/0015-days.ts';
import { up as foundByIndex } from './migrations/0016-found-by-index.ts';
import { up as narrowReads } from './migrations/0017-narrow-reads.ts';
import { up as idsAhead } from './migrations/0019-ids-ahead.ts';
import { up as externalIds } from './migrations/0020-external-ids.ts';
import { up as changes } from './migrations/0021-changes.ts';
import { up as webhooks } from './migrations/0022-webhooks.ts';
import { up as timeZones } from './migrations/0023-time-zones.ts';
import { up as promotions } from './migrations/0024-promotions.ts';
import { up as imports } from './migrations/0025-imports.ts';
import { up as teams } from './migrations/0026-teams.ts';
import { up as classroomTools } from './migrations/0027-classroom-tools.ts';
import { up as picks } from './migrations/0028-picks.ts';
import { up as askedConfirmations } from './migrations/0029-asked-confirmations.ts';
import { up as usedPasswords } from './migrations/0030-used-passwords.ts';
import { up as departedStructure } from './migrations/0031-departed-structure.ts';
import type { Tables } from './tables.ts';

/** In the order of their names. A released migration is never edited. */
export const migrations = {
  '0001-school-data': { up: schoolData },
  '0002-access': { up: access },
  '0003-school-life': { up: schoolLife },
  '0004-records-by-author': { up: recordsByAuthor },
  '0005-batch-writers': { up: batchWriters },
  '0006-announce-structure': { up: announceStructure },
  '0007-accounts': { up: accounts },
  '0008-second-factors': { up: secondFactors },
  '0009-sign-in-providers': { up: signInProviders },
  '0010-privacy': { up: privacy },
  '0011-sign-in-codes': { up: signInCodes },
  '0012-announce-whom': { up: announceWhom },
  '0013-rate-limits': { up: rateLimits },
  '0014-counted-events': { up: countedEvents },
  '0015-days': { up: days },
  '0016-found-by-index': { up: foundByIndex },
  '0017-narrow-reads': { up: narrowReads },
  '0019-ids-ahead': { up: idsAhead },
  '0020-external-ids': { up: externalIds },
  '0021-changes': { up: changes },
  '0022-webhooks': { up: webhooks },
  '0023-time-zones': { up: timeZones },
  '0024-promotions': { up: promotions },
  '0025-imports': { up: imports },
  '0026-teams': { up: teams },
  '0027-classroom-tools': { up: classroomTools },
  '0028-picks': { up: picks },
  '0029-asked-confirmations': { up: askedConfirmations },
  '0030-used-passwords': { up: usedPasswords },
  '0031-departed-structure': { up: departedStructure },
};

/**
 * The last migration that a program must know to use the current schema: later ones only add to it, so the previous
 * release still runs. Raise it when a migration removes something that older programs use.
 */
export const neededMigration = '0011-sign-in-codes';

export const migrationNames: readonly string[] = Object.keys(migrations).toSorted();

/** Returns the names of the executed migrations. @throws DatabaseError of pg */
export async function executedMigrations(pool: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows: found } = await pool.query("SELECT to_regclass('kysely_migration') IS NOT NULL AS found");
  if (!found[0].found) return [];
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

/** Returns the migration that a program must know to use this database, if recorded. */
export async function migrationNeeded(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query(
    "SELECT obj_description(to_regclass('kysely_migration'), 'pg_class') AS needed",
  );
  return rows[0].needed;
}

/** Migrates the database in one transaction under a lock that all processes share. Returns the migrations that ran. */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  // Before Kysely takes its own lock, it reads the list of tables, and fails when another process adds some. The lock
  // belongs to a transaction, because behind a pooler a session may be shared.
  return db.transaction().execute(async (holder) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(holder);
    await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(holder);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsWithComment() } });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/** Migrates in the caller's transaction, under its migration lock. @param to.schema where the search path must lead */
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

/** The last migration also records `neededMigration` for older programs. */
function migrationsWithComment(): Record<string, Migration> {
  const all: Record<string, Migration> = migrations;
  const name = migrationNames.at(-1) as string;
  const up = async (db: Kysely<unknown>) => {
    await all[name]?.up(db);
    await sql`COMMENT ON TABLE kysely_migration IS ${sql.lit(neededMigration)}`.execute(db);
  };
  return { ...all, [name]: { up } };
}
