import type pg from 'pg';
import { inject } from 'vitest';
import { openClient } from '../with-client.ts';
import { type PlanNode, unboundTables } from './bound-tables.ts';
import { exceptionFor } from './exceptions.ts';
import { checked, type Recorded, unchecked } from './recorded.ts';

/** Throws unless each new statement on school data names its school, so that Citus asks one node. */
export async function checkStatements(): Promise<void> {
  const isCitus = inject('citus') !== undefined;
  const faults: string[] = [];
  const byDatabase = Map.groupBy(unchecked(), ({ target }) => target.database ?? '');
  for (const [database, statements] of byDatabase) {
    // Skips a dropped or closed database; a later run records the statement again.
    const client = await openClient({ ...(statements[0] as Recorded).target, database }).catch(() => null);
    if (!client) continue;
    try {
      const schema = await readSchema(client);
      for (const statement of statements) {
        const fault = isCitus
          ? await asksManyNodes(client, statement)
          : await namesNoSchool(client, statement, schema);
        if (fault === 'unknown') continue;
        checked(statement);
        if (fault !== null && exceptionFor(statement) === undefined)
          faults.push(`${statement.from}: ${fault}\n  ${statement.text}`);
      }
    } finally {
      await client.end();
    }
  }
  if (faults.length > 0) throw new Error(`Statements that do not name their school:\n${faults.join('\n')}`);
}

interface Schema {
  readonly parents: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

/** Reads the tables and columns that interpret a plan. */
export async function readSchema(client: pg.Client): Promise<Schema> {
  const { rows } = await client.query<{ name: string; parent: string | null; columns: string[] }>(`
    SELECT c.relname AS name, inhparent::regclass::text AS parent,
      array(SELECT CASE WHEN a.attisdropped THEN '' ELSE a.attname::text END FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 ORDER BY a.attnum) AS columns
    FROM pg_class c LEFT JOIN pg_inherits ON inhrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`);
  return {
    parents: new Map(rows.map(({ name, parent }) => [name, parent ?? name])),
    columns: new Map(rows.map(({ name, columns }) => [name, columns])),
  };
}

type Fault = string | null | 'unknown';

/** Asks the planner which school tables a statement uses without naming a school; null if it uses none. */
export async function namesNoSchool(
  client: pg.Client,
  { text }: Pick<Recorded, 'text'>,
  schema: Schema,
): Promise<Fault> {
  const explained = await explain(client, `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`);
  if (explained === 'unknown' || explained === null) return explained;
  const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
  const unbound = unboundTables(
    plan,
    (table) => schema.parents.get(table) ?? table,
    (table) => schema.columns.get(table) ?? [],
  );
  return unbound.length === 0 ? null : unbound.join(', ');
}

async function asksManyNodes(client: pg.Client, { text, values }: Recorded): Promise<Fault> {
  const explained = await explain(client, `EXPLAIN (COSTS false) ${text}`, values);
  if (explained === 'unknown' || explained === null) return explained;
  const lines = explained.rows.map((row) => row['QUERY PLAN'] as string);
  const counts = lines.flatMap((line) => /Task Count: (\d+)/.exec(line)?.[1] ?? []).map(Number);
  const most = Math.max(0, ...counts);
  return most <= 1 ? null : `asks ${most} shards`;
}

/** Returns 'unknown' for a database with an older schema or one that is closing. */
async function explain(client: pg.Client, text: string, values: readonly unknown[] = []) {
  try {
    return await client.query(text, [...values]);
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (/^(42P01|42703|57|08)/.test(code)) return 'unknown' as const;
    // Citus cannot explain an INSERT from a locked row; runs without Citus check it.
    if ((error as Error).message === 'could not create distributed plan') return null;
    throw new Error(`${(error as Error).message}: ${text}`);
  }
}
