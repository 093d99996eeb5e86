import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@classledger/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureWebBuilt } from '../src/commands/build-web.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { migrateToLatest } from '../src/database/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How to reach the PostgreSQL server of this test run, without a database name. */
    postgres: { host: string; port: number; user: string; password?: string };
  }
}

export const templateDatabase = 'classledger_template';

/**
 * One real PostgreSQL for the whole run, with a migrated database that each test file clones, and the pages built,
 * so that no server under test does it at a moment of its own and says so.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureWebBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'classledger-test-'));
  const server = await startEmbeddedPostgres({
    folder,
    // Nothing here outlives the run; durability is tested where a server of its own is killed.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  const { database, ...postgres } = server.connection;
  const client = new pg.Client({ ...postgres, database });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateDatabase}`);
  await client.end();
  const template = connectDatabase({ ...postgres, database: templateDatabase });
  await migrateToLatest(template.db);
  await template.end();
  project.provide('postgres', postgres);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
