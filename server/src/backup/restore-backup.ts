import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrationLock } from '../database/advisory-locks.ts';
import type { DatabaseTarget } from '../database/client.ts';
import type { Transaction } from '../database/connect.ts';
import { connectAlone, settleText } from '../database/lone-connection.ts';
import { executedMigrations, migrateWithin, migrationNames } from '../database/migrate.ts';
import { type Tables, tableNames } from '../database/tables.ts';
import { BackupError } from './backup-error.ts';
import { type BackupReader, damaged } from './backup-file.ts';
import { tablesOfBackup } from './backup-tables.ts';
import { type CatalogueTable, describeTables, quoted } from './catalogue.ts';
import { CopyIn } from './copy-in.ts';
import type { Manifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { takeStructureAway } from './structure.ts';

export interface RestoreOrder {
  readonly target: DatabaseTarget;
  readonly backup: BackupReader;
  readonly progress: Progress;
  /** Gives the restore up: nothing of it stays. */
  readonly stop: AbortSignal;
  /** Decides whether what was restored is right, before it becomes visible; throws where it is not. */
  readonly prove: (tx: Transaction) => Promise<void>;
  /** It takes the place of the database that was backed up just now: its webhooks go on. */
  readonly goesOn?: boolean;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly rows: number;
}

export interface InstallationRestored extends Restored {
  /** Webhooks that send nothing until somebody resumes them. */
  readonly webhooksStopped: number;
}

/**
 * Restores a backup of a whole installation into a database that holds nothing. Everything happens in one transaction:
 * the schema of the backup, its rows, the way to the current schema, the proof. So whatever interrupts it, even the
 * death of this process or of the database, leaves nothing.
 *
 * @throws BackupError, or whatever pg throws
 */
export async function restoreBackup(order: RestoreOrder): Promise<InstallationRestored> {
  const { backup } = order;
  const manifest = await backup.begin();
  checkOrigin(manifest);
  if (manifest.school !== null) {
    throw new BackupError(
      `The backup holds only the school "${manifest.school.name}": restore it with --school, beside what is there`,
    );
  }
  return inOneTransaction(order, async (client, tx) => {
    await refuseData(client, manifest);
    const rows = await fillSchema(client, tx, manifest, order);
    return { manifest, rows, webhooksStopped: order.goesOn ? 0 : await stopWebhooks(tx) };
  });
}

/** What is restored may be a copy, and receivers cannot tell it from the installation that they know. */
async function stopWebhooks(tx: Transaction): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook')
    .where('active', '=', true)
    .set({ active: false, stopped_because: 'restored', owner: null, owned_until: null })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Refuses what this release cannot know. @throws BackupError */
export function checkOrigin({ migrations, product }: Manifest): void {
  const isOurs = migrations.every((name, index) => name === migrationNames[index]);
  if (isOurs && migrations.length > 0) return;
  const unknown = migrations.find((name) => !migrationNames.includes(name));
  throw unknown === undefined
    ? damaged('its list of migrations is wrong')
    : new BackupError(
        `The backup was made by a newer Classledger (${product.slice(0, 20)}, schema ${unknown.slice(0, 60)}): restore it with that release or a later one`,
      );
}

/** Runs the work of a restore in one transaction, while nobody else changes the schema. */
export async function inOneTransaction<T>(
  { target, stop }: RestoreOrder,
  work: (client: pg.Client, tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await connectAlone(target);
  const end = () => void client.end().catch(() => {});
  stop.addEventListener('abort', end);
  try {
    stop.throwIfAborted();
    const logged = new Set<string>();
    const done = await boundTo(client, logged)
      .transaction()
      .execute(async (tx) => {
        await settleText(client);
        await client.query(`SET LOCAL maintenance_work_mem = '128MB'`);
        // Whoever starts a server on this database meanwhile waits for the end.
        await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
        return work(client, tx);
      });
    const { rows: begun } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM unnest($1::text[]) AS n (name)
         JOIN pg_class ON oid = to_regclass(quote_ident(n.name)) AND relpersistence = 'p'`,
      [[...logged]],
    );
    for (const { name } of begun) await client.query(`ALTER TABLE ${quoted(name)} SET UNLOGGED`);
    return done;
  } catch (error) {
    stop.throwIfAborted();
    throw isRefusal(error) ? damaged(error.message.slice(0, 150)) : error;
  } finally {
    stop.removeEventListener('abort', end);
    await client.end().catch(() => {});
  }
}

/** Whether PostgreSQL does not take rows although they have their digest: who wrote them meant harm. */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/**
 * Kysely on the one connection. Unlogged tables begin as others: where a transaction that makes one is rolled back, and
 * the server is killed in the same moment, PostgreSQL finds half of its files and does not start any more.
 *
 * @param logged is given the tables that are to be unlogged after the commit
 */
function boundTo(client: pg.Client, logged: Set<string>): Kysely<Tables> {
  const asLogged = (text: string) =>
    text.replaceAll(/CREATE UNLOGGED TABLE (\w+)/g, (_all, name: string) => {
      logged.add(name);
      return `CREATE TABLE ${name}`;
    });
  const pool = {
    connect: async () => ({
      query: (text: string, values: readonly unknown[]) => client.query(asLogged(text), values as unknown[]),
      release: () => {},
    }),
    end: async () => {},
    options: {},
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) });
}

/** A schema may be there, without a row and not newer than that of the backup. */
async function refuseData(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const executed = await executedMigrations(client);
  if (executed.length === 0) return;
  const there = await describeTables(client, tableNames);
  for (const name of there.keys()) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new BackupError(
      `The database holds data already (in the table ${name}): restore into an empty one, such as a new DATA_DIR`,
    );
  }
  if (executed.length > migrations.length) {
    throw new BackupError('The database has a newer schema than the backup: restore into a new, empty one');
  }
}

/** More partitions of days than anybody keeps; what is older waits for its end elsewhere. */
const daysMax = 400;

/**
 * Creates the schema of a backup, copies its rows, brings them to the current schema and has them proven.
 *
 * @param schema where, if not in the first one of the search path; the path leads there
 * @returns how many rows there were
 */
export async function fillSchema(
  client: pg.Client,
  tx: Transaction,
  manifest: Manifest,
  order: RestoreOrder,
  schema?: string,
): Promise<number> {
  const { progress } = order;
  const isNew = schema !== undefined || (await executedMigrations(client)).length === 0;
  await migrateWithin(tx, { last: manifest.migrations.at(-1), schema });
  const tables = await matchTables(client, manifest);
  const giveStructureBack = await takeStructureAway(client, [...tables.keys()]);
  // What only passes through needs none, and each is a table that has to be locked.
  if (schema === undefined) await makeDays(client, manifest);
  // Rows of a table that this transaction has made need no second look later on.
  const open = (table: CatalogueTable) =>
    new CopyIn(client, table, isNew && !table.isPartitioned ? 'FREEZE' : '');
  const rows = await copyIn(tables, order, open);
  progress.step('Building the indexes');
  await giveStructureBack();
  await setIdentities(client, manifest);
  progress.step('Bringing the schema up to date');
  await migrateWithin(tx, { schema });
  for (const name of tables.keys()) await client.query(`ANALYZE ${quoted(name)}`);
  progress.step('Proving the totals');
  await order.prove(tx);
  return rows;
}

/**
 * Rows of days that are over would all come into the partition for what has no day. Those of days to come may: a wrong
 * clock wrote them.
 */
async function makeDays(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  for (const { name, days } of tables) {
    if (days === null) continue;
    await client.query(
      `SELECT make_day($1, day::date) FROM generate_series($2::date, least($3::date, current_date + 1), '1 day') AS day
        ORDER BY day DESC LIMIT ${daysMax}`,
      [name, days.first, days.last],
    );
  }
}

/** Finds the tables of a backup in its schema, and insists on all their columns. @throws BackupError */
export async function matchTables(
  client: pg.Client,
  manifest: Manifest,
): Promise<ReadonlyMap<string, CatalogueTable>> {
  const names = manifest.tables.map(({ name }) => name);
  const held = tablesOfBackup(manifest.school?.id ?? null).map(({ name }) => name);
  const known = names.every((name) => held.includes(name)) && new Set(names).size === names.length;
  const there = known ? await describeTables(client, names) : new Map<string, CatalogueTable>();
  for (const { name, columns, identity } of manifest.tables) {
    const table = there.get(name);
    const same =
      table !== undefined &&
      columns.length === table.columns.length &&
      columns.every((column, index) => column === table.columns[index]) &&
      identity?.column === table.identity?.column;
    if (!same) throw damaged('its tables are not those of its schema');
  }
  return there;
}

/**
 * Copies all chunks into their tables, which come one after the other.
 *
 * @param open begins with a table
 * @returns how many rows there were
 */
export async function copyIn(
  tables: ReadonlyMap<string, CatalogueTable>,
  { backup, progress }: Pick<RestoreOrder, 'backup' | 'progress'>,
  open: (table: CatalogueTable) => CopyIn,
): Promise<number> {
  const left = new Map(tables);
  let current: CopyIn | undefined;
  let total = 0;
  try {
    for await (const { table, rows, data } of backup.chunks()) {
      if (current?.table !== table) {
        total += (await current?.end()) ?? 0;
        current = undefined;
        const next = left.get(table);
        if (next === undefined) throw damaged('its tables are in disorder');
        left.delete(table);
        progress.begin(table, 0);
        current = open(next);
      }
      await current.write(data, rows);
      progress.rows(rows);
    }
    return total + ((await current?.end()) ?? 0);
  } catch (error) {
    current?.giveUp();
    throw error;
  }
}

/** Ids go on where they were: none is given out a second time. */
async function setIdentities(client: pg.Client, manifest: Manifest): Promise<void> {
  for (const { name, identity } of manifest.tables) {
    if (identity !== null) await raiseIdentity(client, name, identity.column, identity.last);
  }
}

/** The next id of a table comes after all that it has, after those that were given out, and after `last`. */
export async function raiseIdentity(
  client: pg.Client,
  table: string,
  column: string,
  last: number | null,
): Promise<void> {
  const sequence = 'pg_get_serial_sequence(quote_ident($1), $2)::regclass';
  await client.query(
    `SELECT setval(${sequence}, highest) FROM (
       SELECT greatest($3::bigint, pg_sequence_last_value(${sequence}), (SELECT max(${quoted(column)}) FROM ${quoted(table)}))
         AS highest) AS ids
      WHERE highest IS NOT NULL`,
    [table, column, last],
  );
}
