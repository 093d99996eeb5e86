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

/** @returns the name of a new database, with the current schema or with nothing in it */
export async function createDatabase(content: 'migrated' | 'empty'): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  // Copying the files takes half the work of writing every page to the log, which no one will read.
  const template = content === 'migrated' ? `TEMPLATE ${templateDatabase} STRATEGY FILE_COPY` : '';
  await onServer(`CREATE DATABASE ${name} ${template}`);
  return name;
}

export function dropDatabase(name: string): Promise<void> {
  return onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** The value of DATABASE_URL for a database; `address` is where something else stands in front of it. */
export function databaseUrl(name: string, address?: { host: string; port: number }): string {
  const { host, port, user, password } = { ...inject('postgres'), ...address };
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const who = `${encodeURIComponent(user)}${secret}`;
  if (!host.startsWith('/')) return `postgres://${who}@${host}:${port}/${name}`;
  return `postgres://${who}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}
