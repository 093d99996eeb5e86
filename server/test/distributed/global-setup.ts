import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from '../../src/commands/ensure-built.ts';
import { templateDatabase } from '../global-setup.ts';
import { closeTemplate, createDistributed, dropDistributed, type Node, nodesOf } from './cluster.ts';

/** Provides the Citus cluster of CITUS_DATABASE_URL and a distributed database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.CITUS_DATABASE_URL;
  if (!url) {
    throw new Error(
      'CITUS_DATABASE_URL must name a database of a coordinator of Citus that knows its workers, as a superuser: postgres://postgres@127.0.0.1:9700/test',
    );
  }
  await ensureBuilt();
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  if (!user || !database) throw new Error('CITUS_DATABASE_URL must name a user and a database');
  const coordinator: Node = { host, port, user, ...(password ? { password } : {}) };
  const nodes = await nodesOf(coordinator, database);
  const template = `${templateDatabase}_${process.pid}`;
  await createDistributed(nodes, template);
  await closeTemplate(nodes, template);
  project.provide('postgres', coordinator);
  project.provide('citus', { nodes, template });
  return () => dropDistributed(nodes, template);
}
