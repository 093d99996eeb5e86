import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../src/database/connect.ts';
import { copyDistributed, dropDistributed } from './distributed/cluster.ts';
import { templateDatabase } from './global-setup.ts';
import { urlOf } from './test-server.ts';
import { withClient } from './with-client.ts';

/** Runs a statement outside of all test databases. */
export async function runOnServer(statement: string): Promise<void> {
  await withClient({ ...inject('postgres'), database: 'postgres' }, (client) => client.query(statement));
}

const createdNames: string[] = [];

/** A database of the current schema whose open connections serve several test files in turn. */
export interface ReusableDatabase {
  readonly name: string;
  readonly database: DatabaseConnection;
  readonly schema: string;
}

const reusable: ReusableDatabase[] = [];
const reusableMax = 4;

/** Returns an empty database of the current schema; the caller returns it with `releaseDatabase`. */
export async function acquireDatabase(): Promise<ReusableDatabase> {
  const free = reusable.pop();
  if (free) return free;
  const name = await createDatabase('migrated');
  createdNames.splice(createdNames.indexOf(name), 1);
  const target = { ...inject('postgres'), database: name };
  return { name, database: connectDatabase(target), schema: await withClient(target, readSchema) };
}

/** Empties a database for reuse, which is faster than a copy; drops it if a test has changed the schema. */
export async function releaseDatabase(used: ReusableDatabase): Promise<void> {
  if (reusable.length < reusableMax && !inject('citus') && (await isEmptied(used))) {
    reusable.push(used);
  } else {
    await used.database.end();
    createdNames.push(used.name);
  }
}

async function isEmptied({ name, schema }: ReusableDatabase): Promise<boolean> {
  return withClient({ ...inject('postgres'), database: name }, async (client) => {
    if ((await readSchema(client)) !== schema) return false;
    try {
      await client.query(deleteRows);
      return true;
    } catch {
      // Drops the database instead, because a failed test can have left locks.
      return false;
    }
  });
}

/** Returns a text that changes with every relation, column, trigger, function, constraint, comment and setting. */
async function readSchema(client: pg.Client): Promise<string> {
  const catalogs = [
    ...['pg_class', 'pg_attribute', 'pg_trigger', 'pg_proc', 'pg_constraint', 'pg_description'],
    'pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())',
  ];
  const versions = catalogs.map((rows) => `(SELECT (count(*), max(xmin::text::bigint)) FROM ${rows})`);
  const { rows } = await client.query<{ schema: string }>(`SELECT concat(${versions}) AS schema`);
  return rows[0]?.schema as string;
}

const deleteRows = `
  SET session_replication_role = replica;
  SET lock_timeout = '5s';
  DO $$
  DECLARE
    relation regclass;
  BEGIN
    FOR relation IN
      SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT relispartition AND relname NOT LIKE 'kysely_migration%'
    LOOP
      EXECUTE format('DELETE FROM %s', relation);
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      FROM pg_sequences WHERE last_value IS NOT NULL;
  END $$`;

/** Creates a database, with the current schema or empty, that is dropped after the tests of the file. */
export async function createDatabase(content: 'migrated' | 'empty', options = ''): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const citus = inject('citus');
  if (citus && content === 'migrated') {
    createdNames.push(name);
    await copyDistributed(citus.nodes, citus.template, name);
    return name;
  }
  // Copies files, which costs half as much as logging every page.
  const template = content === 'migrated' ? `TEMPLATE ${templateDatabase} STRATEGY FILE_COPY` : options;
  await runOnServer(`CREATE DATABASE ${name} ${template}`);
  createdNames.push(name);
  return name;
}

/** Drops all databases created since the last call. */
export async function dropDatabases(): Promise<void> {
  const citus = inject('citus');
  for (const name of createdNames.splice(0)) {
    if (citus) await dropDistributed(citus.nodes, name);
    else await runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/** Returns the DATABASE_URL of a database, through a proxy at `address` if given. */
export function databaseUrl(name: string, address?: { host: string; port: number }): string {
  return urlOf({ ...inject('postgres'), ...address }, name);
}
