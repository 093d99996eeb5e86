import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { copyDistributed, dropDistributed } from './distributed/cluster.ts';
import { templateDatabase } from './global-setup.ts';
import { urlOf } from './test-server.ts';
import { withClient } from './with-client.ts';

/** Databases on the test run's PostgreSQL. */

/** Runs a statement outside of every database of a test. */
export async function onServer(statement: string): Promise<void> {
  await withClient({ ...inject('postgres'), database: 'postgres' }, (client) => client.query(statement));
}

const made: string[] = [];

/**
 * A database that is dropped after the tests of the file.
 *
 * @param content the current schema, or nothing
 * @param options of CREATE DATABASE
 * @returns its name
 */
export async function createDatabase(content: 'migrated' | 'empty', options = ''): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const citus = inject('citus');
  if (citus && content === 'migrated') {
    made.push(name);
    await copyDistributed(citus.nodes, citus.template, name);
    return name;
  }
  // Copying the files takes half the work of writing every page to the log, which no one will read.
  const template = content === 'migrated' ? `TEMPLATE ${templateDatabase} STRATEGY FILE_COPY` : options;
  await onServer(`CREATE DATABASE ${name} ${template}`);
  made.push(name);
  return name;
}

/** Drops all that were made since. */
export async function dropDatabases(): Promise<void> {
  const citus = inject('citus');
  for (const name of made.splice(0)) {
    if (citus) await dropDistributed(citus.nodes, name);
    else await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/** The value of DATABASE_URL for a database; `address` is where something else stands in front of it. */
export function databaseUrl(name: string, address?: { host: string; port: number }): string {
  return urlOf({ ...inject('postgres'), ...address }, name);
}
