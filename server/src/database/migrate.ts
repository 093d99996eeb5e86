import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
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
import type { Tables } from './tables.ts';

/** In the order of their names; a released migration is never edited. */
const migrations = {
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
};

/** In their order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** The names of the migrations that a database has seen; none when it is new. @throws DatabaseError of pg */
export async function executedMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows: found } = await pool.query("SELECT to_regclass('kysely_migration') IS NOT NULL AS found");
  if (!found[0].found) return [];
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

/** The number of the advisory lock of whoever migrates. */
export const migrationLock = 7_309_453_120_117;

/**
 * Brings the database to the current schema. Runs in one transaction under a lock that all processes share,
 * so that several may start at once; a failure leaves the schema as it was.
 *
 * @returns the names of the migrations that were run now
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  // Kysely has a lock, too, but before it takes that one it looks at all tables, and fails at those that come meanwhile.
  return db.connection().execute(async (holder) => {
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(holder);
    try {
      const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
      const { error, results } = await migrator.migrateToLatest();
      if (error) throw error;
      return (results ?? []).map((result) => result.migrationName);
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(holder);
    }
  });
}
