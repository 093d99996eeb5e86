import pg from 'pg';
import type { Config } from '../config/config.ts';
import { migrationLock } from '../database/advisory-locks.ts';
import { checkDatabase } from '../database/check-database.ts';
import { DatabaseClient, parseDatabaseUrl } from '../database/client.ts';
import { acquire } from '../database/connect.ts';
import { DatabaseUnusableError, toDatabaseUnusable } from '../database/database-unusable.ts';
import {
  type Cluster,
  checkCluster,
  type DistributionPlan,
  distributeTables,
  planDistribution,
} from '../database/distribute.ts';
import { executedMigrations, migrationNames } from '../database/migrate.ts';
import { ConfigError } from '../errors/config-error.ts';

/** Distributes schools over Citus nodes; a second run does only the rest. @throws ConfigError, DatabaseUnusableError */
export async function distributeCommand(config: Config, option: string | undefined): Promise<number> {
  if (option !== undefined && option !== '--plan') {
    console.error(`Unknown option "${option}": distribute [--plan]`);
    return 2;
  }
  if (config.databaseUrl === null) {
    throw new ConfigError('DATABASE_URL must name a database with Citus: the embedded PostgreSQL has none');
  }
  const pool = new pg.Pool({
    // Avoids a transaction pooler, which breaks session settings and session locks.
    ...parseDatabaseUrl(config.databaseListenUrl ?? config.databaseUrl),
    Client: DatabaseClient as never,
    max: 2,
    application_name: 'classledger distribute',
  });
  try {
    const client = await acquire(pool);
    try {
      const cluster = await checkCluster(client);
      if ((await checkDatabase(pool)) === 'outdated') {
        throw new DatabaseUnusableError(
          'The database has no schema, or that of an older Classledger: run "classledger migrate" first',
        );
      }
      const unknown = (await executedMigrations(client)).filter((name) => !migrationNames.includes(name));
      if (unknown.length > 0) {
        throw new DatabaseUnusableError(
          `The database has the schema of a newer Classledger (${unknown.join(', ')}): use "distribute" of that release`,
        );
      }
      await lockMigrations(client);
      const plan = await planDistribution(client);
      for (const line of describePlan(cluster, plan)) console.log(line);
      if (option === undefined && !isEmpty(plan)) {
        await distributeTables(client, plan, (line) => console.log(line));
        console.log('The data is distributed.');
      }
    } finally {
      client.release(true);
    }
    return 0;
  } catch (error) {
    throw toDatabaseUnusable(asReadableError(error));
  } finally {
    await pool.end();
  }
}

/** @throws DatabaseUnusableError when another process holds the migration lock */
async function lockMigrations(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1::bigint) AS locked',
    [migrationLock],
  );
  if (!rows[0]?.locked) {
    throw new DatabaseUnusableError(
      'Another process is migrating or distributing this database: wait for it',
    );
  }
}

const isEmpty = ({ tables, keys, triggers }: DistributionPlan) =>
  tables.length === 0 && keys.length === 0 && triggers.length === 0;

function describePlan({ version, nodes, shards }: Cluster, plan: DistributionPlan): string[] {
  const { tables, keys, triggers } = plan;
  const left = keys.filter(({ replacement }) => replacement === null);
  const changed = keys.filter(
    ({ replacement, definition }) => replacement !== null && replacement !== definition,
  );
  const line = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`  ${what}: ${names.join(', ')}`];
  const where = `Citus ${version}, ${shards} shards on ${nodes.join(', ')}`;
  if (isEmpty(plan)) return [`${where}. Everything is distributed; there is nothing to do.`];
  return [
    `${where}. One transaction will make these changes; an interruption changes nothing:`,
    ...line('distributed by school_id', tables),
    ...line(
      'foreign keys to remove, because they connect rows on different nodes',
      left.map(({ name }) => name),
    ),
    ...line(
      'foreign keys that lose ON DELETE SET NULL',
      changed.map(({ name }) => name),
    ),
    ...line(
      'triggers to remove',
      triggers.map(({ table, name }) => `${name} on ${table}`),
    ),
  ];
}

function asReadableError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const reason = [error.message, error.detail, error.hint].filter(Boolean).join(' ');
  if (error.code === '53200') {
    return new DatabaseUnusableError(
      `A node has too few lock slots (${reason}): raise max_locks_per_transaction on all nodes, to 1024 for instance`,
      { cause: error },
    );
  }
  if (['0A000', '42501', '55000'].includes(error.code ?? '')) {
    return new DatabaseUnusableError(`Citus rejected the change: ${reason}. Nothing was changed.`, {
      cause: error,
    });
  }
  return error;
}
