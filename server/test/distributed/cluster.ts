import { connectDatabase } from '../../src/database/connect.ts';
import { distributeTables, planDistribution, sessionSettings } from '../../src/database/distribute.ts';
import { migrateToLatest } from '../../src/database/migrate.ts';
import type { ServerAddress } from '../test-server.ts';
import { withClient } from '../with-client.ts';

/** A PostgreSQL server of a Citus cluster; the coordinator is the first node. */
export type Node = ServerAddress;

/** Returns the nodes of the cluster of a coordinator's database. */
export async function nodesOf(coordinator: Node, database: string): Promise<Node[]> {
  const { rows } = await withClient({ ...coordinator, database }, (client) =>
    client.query<{ host: string; port: number }>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND groupid > 0
       ORDER BY nodeid`,
    ),
  );
  return [coordinator, ...rows.map((node) => ({ ...coordinator, ...node }))];
}

/** Creates an empty database with Citus on all nodes. */
export async function createWithCitus(nodes: readonly Node[], database: string): Promise<void> {
  const [coordinator, ...workers] = nodes as [Node, ...Node[]];
  await onEach(nodes, `CREATE DATABASE ${database}`);
  for (const node of nodes)
    await withClient({ ...node, database }, (client) => client.query('CREATE EXTENSION citus'));
  await withClient({ ...coordinator, database }, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
  });
}

/** Creates a distributed database with the current schema. */
export async function createDistributed(nodes: readonly Node[], database: string): Promise<void> {
  const [coordinator] = nodes as [Node];
  await createWithCitus(nodes, database);
  const schema = connectDatabase({ ...coordinator, database });
  await migrateToLatest(schema.db);
  await schema.end();
  await withClient({ ...coordinator, database }, async (client) =>
    distributeTables(client, await planDistribution(client), () => {}),
  );
}

/** Closes a database to all sessions, also those of Citus, so that it can be copied. */
export async function closeTemplate(nodes: readonly Node[], database: string): Promise<void> {
  await onEach(nodes, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await onEach(
    nodes,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${database}'`,
  );
}

/** Copies the files of a distributed database, with the metadata of Citus, on each node. */
export async function copyDistributed(nodes: readonly Node[], template: string, name: string): Promise<void> {
  await onEach(nodes, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  // These settings belong to a database and are not copied.
  for (const [setting, value] of Object.entries(sessionSettings)) {
    await onEach(nodes.slice(0, 1), `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
}

export async function dropDistributed(nodes: readonly Node[], name: string): Promise<void> {
  await onEach(nodes, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

const onEach = (nodes: readonly Node[], statement: string) =>
  Promise.all(
    nodes.map((node) => withClient({ ...node, database: 'postgres' }, (client) => client.query(statement))),
  );
