import type { TestProject } from 'vitest/node';
import { ensureClientBuilt } from '../src/commands/build-client.ts';
import { ensureWebBuilt } from '../src/commands/build-web.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { migrateToLatest } from '../src/database/migrate.ts';
import { type ServerAddress, startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How to reach the PostgreSQL server of this test run, without a database name. */
    postgres: ServerAddress;
    /** Where the tests run on Citus: the coordinator, which is the one above, with its workers, and what is copied. */
    citus?: { readonly nodes: readonly ServerAddress[]; readonly template: string };
  }
}

export const templateDatabase = 'classledger_template';

/**
 * One real PostgreSQL for the whole run, with a migrated database that each test file clones, and the pages built,
 * so that no server under test does it at a moment of its own and says so.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureWebBuilt();
  await ensureClientBuilt();
  const server = await startTestServer();
  await server.create(templateDatabase);
  const template = connectDatabase({ ...server.address, database: templateDatabase });
  await migrateToLatest(template.db);
  await template.end();
  project.provide('postgres', server.address);
  return () => server.stop();
}
