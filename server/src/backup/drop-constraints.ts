import type pg from 'pg';
import { quoted } from './describe-tables.ts';

const tableArray = 'ARRAY(SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) AS name)';

/** Drops foreign keys and indexes, which are faster to build after the copy. The returned function restores them. */
export async function dropConstraints(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT r.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
      WHERE c.contype = 'f' AND c.conparentid = 0 AND c.conrelid = ANY (${tableArray})`,
    [tables],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT n.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
       FROM pg_index i JOIN pg_class n ON n.oid = i.indexrelid AND n.relkind = 'i' AND NOT n.relispartition
      WHERE i.indrelid = ANY (${tableArray})
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`,
    [tables],
  );
  for (const { table, name } of keys) {
    await client.query(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
  }
  for (const { name } of indexes) await client.query(`DROP INDEX ${quoted(name)}`);
  return async () => {
    for (const { definition } of indexes) await client.query(definition);
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`);
    }
  };
}
