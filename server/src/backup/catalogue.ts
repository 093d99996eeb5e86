import type pg from 'pg';
import type { TableInBackup } from './manifest.ts';

export interface CatalogueTable extends Omit<TableInBackup, 'days'> {
  readonly key: readonly string[];
  readonly isPartitioned: boolean;
  readonly estimate: number;
}

/** Describes the named tables that exist, without generated columns. */
export async function describeTables(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<Map<string, CatalogueTable>> {
  const { rows } = await client.query<
    Omit<CatalogueTable, 'identity'> & { identityColumn: string | null; last: number | null }
  >(
    `SELECT name, c.relkind = 'p' AS "isPartitioned", greatest(c.reltuples, 0)::bigint AS estimate,
            ARRAY(SELECT attname::text FROM pg_attribute
                   WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                   ORDER BY attnum) AS columns,
            ARRAY(SELECT a.attname::text FROM pg_index i
                    CROSS JOIN unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, place)
                    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
                   WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.place) AS key,
            serial.attname::text AS "identityColumn",
            pg_sequence_last_value(
              pg_get_serial_sequence(quote_ident(name), serial.attname::text)::regclass) AS last
       FROM unnest($1::text[]) AS name JOIN pg_class c ON c.oid = to_regclass(quote_ident(name))
       LEFT JOIN pg_attribute serial ON serial.attrelid = c.oid AND serial.attidentity <> ''`,
    [names],
  );
  return new Map(
    rows.map(({ identityColumn, last, ...table }) => [
      table.name,
      { ...table, identity: identityColumn === null ? null : { column: identityColumn, last } },
    ]),
  );
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const quotedList = (names: readonly string[]) => names.map(quoted).join(', ');

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
