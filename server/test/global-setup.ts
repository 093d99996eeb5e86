import type { TestProject } from 'vitest/node';
import { generateClient } from '../../client/generate/generate.ts';
import { ensureBuilt } from '../src/commands/ensure-built.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { migrateToLatest } from '../src/database/migrate.ts';
import { type ServerAddress, startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ServerAddress;
    /** Only on Citus: the coordinator (the server above), its workers, and the template to copy. */
    citus?: { readonly nodes: readonly ServerAddress[]; readonly template: string };
  }
}

export const templateDatabase = 'classledger_template';

/** Starts one PostgreSQL with a migrated template, and builds the pages so that no server under test does. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilt();
  // Generates the client's files too, because a reused build can leave generated files of other sources in place.
  generateClient();
  const server = await startTestServer();
  await server.create(templateDatabase);
  const template = connectDatabase({ ...server.address, database: templateDatabase });
  await migrateToLatest(template.db);
  await template.end();
  project.provide('postgres', server.address);
  return () => server.stop();
}
