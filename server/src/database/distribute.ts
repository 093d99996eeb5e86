import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { citusWorkerError, DatabaseUnusableError } from './database-unusable.ts';
import { schoolTables, tableNames } from './tables.ts';

// A school's data is on one node and moves with its shards. Other tables, such as schools, stay on the coordinator.

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly to: string;
  readonly definition: string;
}

interface Trigger {
  readonly kind: 'TRIGGER' | 'RULE';
  readonly table: string;
  readonly name: string;
}

export interface DistributionPlan {
  readonly tables: readonly string[];
  /** Keys to drop; `replacement` is the key to create instead, or null. */
  readonly keys: readonly (ForeignKey & { readonly replacement: string | null })[];
  readonly triggers: readonly Trigger[];
}

/** The other tables are colocated with this one. */
const firstTable = 'grade';

const oldestMajor = 12;

/**
 * With the first setting, `SET LOCAL lock_timeout` also applies on the nodes. The second lets one transaction change
 * rows of all schools and other rows, as housekeeping does.
 */
export const sessionSettings = {
  'citus.propagate_set_commands': 'local',
  'citus.multi_shard_modify_mode': 'sequential',
} as const;

/** Plans the distribution and changes nothing. Call `checkCluster` first. @throws DatabaseUnusableError */
export async function planDistribution(client: pg.ClientBase): Promise<DistributionPlan> {
  await requireIdle(client);
  const placed = await readDistributedTables(client);
  const tables = schoolTables.filter((table) => !placed.has(table));
  const undistributed = new Set(tables);
  const keys = (await readForeignKeys(client)).flatMap((key) => {
    const replacement = citusKeyDefinition(schoolTables.includes(key.table), key);
    const mustDrop =
      undistributed.has(key.table) || undistributed.has(key.to) || replacement !== key.definition;
    return mustDrop ? [{ ...key, replacement }] : [];
  });
  return { tables, keys, triggers: await readTriggers(client) };
}

/** Distributes the tables in one transaction; a failure leaves everything unchanged. @throws DatabaseError of pg */
export async function distributeTables(
  client: pg.ClientBase,
  plan: DistributionPlan,
  report: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    'SELECT quote_ident(current_database()) AS database',
  );
  const { database } = rows[0] as { database: string };
  await client.query('BEGIN');
  try {
    for (const [name, value] of Object.entries(sessionSettings)) {
      await client.query(`SET LOCAL ${name} = '${value}'`);
      await client.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
    }
    // Hides the notices of Citus, because `report` announces each table.
    await client.query("SET LOCAL client_min_messages = 'warning'");
    for (const { kind, table, name } of plan.triggers) {
      await client.query(`DROP ${kind} "${name}" ON "${table}"`);
    }
    for (const { table, name } of plan.keys) {
      await client.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`);
    }
    for (const table of plan.tables) {
      report(`${table} …`);
      await client.query(`SELECT create_distributed_table($1, 'school_id', colocate_with => $2)`, [
        table,
        table === firstTable ? 'none' : firstTable,
      ]);
    }
    for (const { table, name, replacement } of plan.keys) {
      if (replacement !== null)
        await client.query(`ALTER TABLE "${table}" ADD CONSTRAINT "${name}" ${replacement}`);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Distributes a new table, if the others are distributed, and then adds its foreign keys. */
export async function distributeNewTable(
  db: Kysely<unknown>,
  table: string,
  keys: readonly string[],
): Promise<void> {
  const isDistributed = await hasDistributed(db);
  if (isDistributed) {
    await sql`SELECT create_distributed_table(${table}, 'school_id', colocate_with => ${firstTable})`.execute(
      db,
    );
  }
  for (const definition of keys) {
    const to = / REFERENCES (\w+)/.exec(definition)?.[1] ?? '';
    const settled = isDistributed ? citusKeyDefinition(true, { to, definition }) : definition;
    if (settled !== null) await sql`ALTER TABLE ${sql.table(table)} ADD ${sql.raw(settled)}`.execute(db);
  }
}

async function hasDistributed(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    SELECT to_regclass('pg_dist_partition') IS NOT NULL AS known`.execute(db);
  if (!rows[0]?.known) return false;
  const { rows: found } = await sql`
    SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(${firstTable})`.execute(db);
  return found.length > 0;
}

export interface Cluster {
  readonly version: string;
  readonly nodes: readonly string[];
  readonly shards: number;
}

/** Returns the nodes for the distributed data. @throws DatabaseUnusableError */
export async function checkCluster(client: pg.ClientBase): Promise<Cluster> {
  const { rows: extensions } = await client.query<{
    database: string;
    version: string | null;
    owns: boolean;
  }>(`
    SELECT datname AS database, pg_has_role(datdba, 'USAGE') AS owns,
      (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS version
    FROM pg_database WHERE datname = current_database()`);
  const { database, version, owns } = extensions[0] as (typeof extensions)[0];
  if (version === null) {
    throw new DatabaseUnusableError(
      `The database "${database}" has no Citus: CREATE EXTENSION citus in it, on this node and on every worker`,
    );
  }
  if (Number.parseInt(version, 10) < oldestMajor) {
    throw new DatabaseUnusableError(`Citus ${oldestMajor} or newer is needed; this is ${version}`);
  }
  const { rows: groups } = await client.query<{ groupid: number }>('SELECT groupid FROM pg_dist_local_group');
  if (groups[0]?.groupid !== 0) throw citusWorkerError();
  const { rows: nodes } = await client.query<{ name: string; groupid: number; hasShards: boolean }>(`
    SELECT nodename || ':' || nodeport AS name, groupid, shouldhaveshards AS "hasShards" FROM pg_dist_node
    WHERE isactive AND noderole = 'primary' ORDER BY nodeid`);
  const withShards = nodes.filter(({ hasShards }) => hasShards);
  if (withShards.length === 0) {
    throw new DatabaseUnusableError(
      `Citus knows no worker in the database "${database}": SELECT citus_add_node('HOST', PORT) for each`,
    );
  }
  if (!nodes.some(({ groupid }) => groupid === 0)) {
    throw new DatabaseUnusableError(
      `The workers do not know this coordinator: SELECT citus_set_coordinator_host('HOST', PORT) in the database "${database}"`,
    );
  }
  if (!owns) {
    throw new DatabaseUnusableError(
      `The role of DATABASE_URL does not own the database "${database}", whose settings are to be changed: use the role that does`,
    );
  }
  const { rows: shown } = await client.query<{ shards: number }>(`
    SELECT coalesce((SELECT shardcount FROM pg_dist_partition JOIN pg_dist_colocation USING (colocationid)
      WHERE logicalrelid = to_regclass('${firstTable}') AND partmethod = 'h'),
      current_setting('citus.shard_count')::int) AS shards`);
  return { version, nodes: withShards.map(({ name }) => name), shards: shown[0]?.shards ?? 0 };
}

/** Rejects a database in use, because writes during the distribution would wait for minutes or deadlock. */
async function requireIdle(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ open: number }>(`
    SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      AND application_name LIKE 'classledger%' AND application_name <> current_setting('application_name')`);
  const open = rows[0]?.open ?? 0;
  if (open > 0) {
    throw new DatabaseUnusableError(
      `Classledger is running on this database (${open} connections): stop all its processes first`,
    );
  }
}

/** Returns the tables distributed by school. @throws DatabaseUnusableError for another kind of distribution */
async function readDistributedTables(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ table: string; bySchool: boolean }>(
    `SELECT c.relname AS table, coalesce(p.partmethod = 'h' AND p.colocationid = first.colocationid
        AND column_to_column_name(p.logicalrelid, p.partkey) = 'school_id', false) AS "bySchool"
     FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
       LEFT JOIN pg_dist_partition first ON first.logicalrelid = to_regclass($2)
     WHERE c.oid = to_regclass(quote_ident(c.relname)) AND c.relname = ANY($1)`,
    [tableNames, firstTable],
  );
  const other = rows.find(({ table, bySchool }) => schoolTables.includes(table) !== bySchool);
  if (other) {
    throw new DatabaseUnusableError(
      `The table "${other.table}" is distributed in an unexpected way: SELECT undistribute_table('${other.table}'), and try again`,
    );
  }
  return new Set(rows.map(({ table }) => table));
}

async function readForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT t.relname AS table, k.conname AS name, r.relname AS to, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND t.relname = ANY($1) AND t.oid = to_regclass(quote_ident(t.relname))
     ORDER BY k.oid`,
    [tableNames],
  );
  return rows;
}

/** Reads triggers and rules, which Citus does not allow. Those of Classledger only guard statements made by hand. */
async function readTriggers(client: pg.ClientBase): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `SELECT * FROM (
       SELECT 'TRIGGER' AS kind, tgrelid AS relation, tgname AS name FROM pg_trigger
       WHERE NOT tgisinternal AND tgparentid = 0 AND tgname NOT LIKE '%truncate_trigger%'
       UNION ALL SELECT 'RULE', ev_class, rulename FROM pg_rewrite
     ) AS found JOIN (SELECT oid, relname AS table FROM pg_class) AS t ON t.oid = relation
     WHERE t.table = ANY($1) AND relation = to_regclass(quote_ident(t.table))
     ORDER BY relation, name`,
    [schoolTables],
  );
  return rows;
}

/** Returns a key for Citus: null between node and coordinator, else no ON DELETE SET NULL (docs/decisions/0024). */
function citusKeyDefinition(
  isOfSchool: boolean,
  { to, definition }: Pick<ForeignKey, 'to' | 'definition'>,
): string | null {
  if (isOfSchool !== schoolTables.includes(to)) return null;
  return isOfSchool ? definition.replace(/ ON DELETE SET NULL( \([^)]*\))?/, '') : definition;
}
