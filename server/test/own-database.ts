import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { templateDatabase } from './global-setup.ts';

/** Databases on the test run's PostgreSQL. */

/** Runs a statement outside of every database of a test. */
export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
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
  // Copying the files takes half the work of writing every page to the log, which no one will read.
  const template = content === 'migrated' ? `TEMPLATE ${templateDatabase} STRATEGY FILE_COPY` : options;
  await onServer(`CREATE DATABASE ${name} ${template}`);
  made.push(name);
  return name;
}

/** Drops all that were made since. */
export async function dropDatabases(): Promise<void> {
  for (const name of made.splice(0)) await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** The value of DATABASE_URL for a database; `address` is where something else stands in front of it. */
export function databaseUrl(name: string, address?: { host: string; port: number }): string {
  const { host, port, user, password } = { ...inject('postgres'), ...address };
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const who = `${encodeURIComponent(user)}${secret}`;
  if (!host.startsWith('/')) return `postgres://${who}@${host}:${port}/${name}`;
  return `postgres://${who}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}
