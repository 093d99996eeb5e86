import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrationLock } from '../database/advisory-locks.ts';
import type { DatabaseTarget } from '../database/client.ts';
import type { Transaction } from '../database/connect.ts';
import { executedMigrations, migrateInTransaction, migrationNames } from '../database/migrate.ts';
import { type Tables, tableNames, tablesOfBackup } from '../database/tables.ts';
import { onUnpooledConnection, setTextFormats } from '../database/unpooled-connection.ts';
import { BackupError } from './backup-error.ts';
import { type BackupReader, type Chunk, damagedBackup } from './backup-file.ts';
import { type CatalogueTable, describeTables, dropConstraints, quoted, quotedList } from './catalogue.ts';
import type { Manifest } from './manifest.ts';
import type { Progress } from './progress.ts';

export interface RestoreOptions {
  readonly target: DatabaseTarget;
  readonly backup: BackupReader;
  readonly progress: Progress;
  /** Aborts the restore, which then changes nothing. */
  readonly stop: AbortSignal;
  /** Checks the restored data before the commit; throws if it is wrong. */
  readonly verify: (tx: Transaction) => Promise<void>;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly rows: number;
}

export interface InstallationRestored extends Restored {
  readonly webhooksStopped: number;
}

/** Restores an installation into an empty database in one transaction. @throws BackupError, or an error of pg */
export async function restoreBackup(options: RestoreOptions): Promise<InstallationRestored> {
  const { backup } = options;
  const manifest = await backup.begin();
  checkBackupCompatibility(manifest);
  if (manifest.school !== null) {
    throw new BackupError(
      `The backup holds only the school "${manifest.school.name}": restore it with --school, beside what is there`,
    );
  }
  return inOneTransaction(options, async (client, tx) => {
    await requireEmptyDatabase(client, manifest);
    const rows = await fillSchema(client, tx, manifest, options);
    return { manifest, rows, webhooksStopped: await stopWebhooks(tx) };
  });
}

/** Stops webhooks, because receivers cannot tell whether the restored installation is a copy. */
async function stopWebhooks(tx: Transaction): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook')
    .where('active', '=', true)
    .set({ active: false, stopped_because: 'restored', owner: null, owned_until: null })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Rejects migrations that this release does not know. @throws BackupError */
export function checkBackupCompatibility({ migrations, product }: Manifest): void {
  const isOurs = migrations.every((name, index) => name === migrationNames[index]);
  if (isOurs && migrations.length > 0) return;
  const unknown = migrations.find((name) => !migrationNames.includes(name));
  throw unknown === undefined
    ? damagedBackup('its list of migrations is wrong')
    : new BackupError(
        `The backup was made by a newer Classledger (${product.slice(0, 20)}, schema ${unknown.slice(0, 60)}): restore it with that release or a later one`,
      );
}

export async function inOneTransaction<T>(
  { target, stop }: RestoreOptions,
  work: (client: pg.Client, tx: Transaction) => Promise<T>,
): Promise<T> {
  const restored = onUnpooledConnection(target, stop, async (client) => {
    const logged = new Set<string>();
    const done = await kyselyOn(client, logged)
      .transaction()
      .execute(async (tx) => {
        await setTextFormats(client);
        await client.query(`SET LOCAL maintenance_work_mem = '128MB'`);
        // Makes a server that starts on this database wait until the restore ends.
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
  });
  return restored.catch((error) => {
    throw isRejectedRow(error) ? damagedBackup(error.message.slice(0, 150)) : error;
  });
}

/** Returns whether PostgreSQL rejected a row. Its digest was right, so the backup is forged. */
function isRejectedRow(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/**
 * Makes Kysely use one connection, and creates unlogged tables as logged ones; `logged` receives their names. A kill
 * during the rollback of an unlogged table would leave half of its files, and PostgreSQL could not start.
 */
function kyselyOn(client: pg.Client, logged: Set<string>): Kysely<Tables> {
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

/** Rejects a database with rows, or with a newer schema than the backup. @throws BackupError */
async function requireEmptyDatabase(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const executed = await executedMigrations(client);
  if (executed.length === 0) return;
  const there = await describeTables(client, tableNames);
  for (const name of there.keys()) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new BackupError(
      `The database already holds data (in the table ${name}): restore into an empty one, such as a new DATA_DIR`,
    );
  }
  if (executed.length > migrations.length) {
    throw new BackupError('The database has a newer schema than the backup: restore into a new, empty one');
  }
}

/** More days than are usually kept. Rows of older days go to the default partition. */
const dayPartitionsMax = 400;

/** Creates the backup's schema, copies its rows, migrates and verifies the totals. @returns the number of rows */
export async function fillSchema(
  client: pg.Client,
  tx: Transaction,
  manifest: Manifest,
  options: RestoreOptions,
  schema?: string,
): Promise<number> {
  const { progress } = options;
  const isNew = schema !== undefined || (await executedMigrations(client)).length === 0;
  await migrateInTransaction(tx, { last: manifest.migrations.at(-1), schema });
  const tables = await matchTables(client, manifest);
  const restoreConstraints = await dropConstraints(client, [...tables.keys()]);
  // The scratch schema is dropped later, so it needs no daily partitions, which would all take locks.
  if (schema === undefined) await createDayPartitions(client, manifest);
  const rows = await copyTables(client, tables, options, isNew);
  progress.printStep('Building the indexes');
  await restoreConstraints();
  await setIdentities(client, manifest);
  progress.printStep('Bringing the schema up to date');
  await migrateInTransaction(tx, { schema });
  for (const name of tables.keys()) await client.query(`ANALYZE ${quoted(name)}`);
  progress.printStep('Verifying the totals');
  await options.verify(tx);
  return rows;
}

/** Creates daily partitions up to tomorrow. Without them, rows go to the default partition. */
async function createDayPartitions(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  for (const { name, days } of tables) {
    if (days === null) continue;
    await client.query(
      `SELECT make_day($1, day::date) FROM generate_series($2::date, least($3::date, current_date + 1), '1 day') AS day
        ORDER BY day DESC LIMIT ${dayPartitionsMax}`,
      [name, days.first, days.last],
    );
  }
}

/** Returns the tables of a backup, with exactly the columns that its schema has. @throws BackupError */
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
    if (!same) throw damagedBackup('its tables do not match its schema');
  }
  return there;
}

/** Copies the chunks, one table after the other. @returns the number of rows */
async function copyTables(
  client: pg.ClientBase,
  tables: ReadonlyMap<string, CatalogueTable>,
  { backup, progress }: RestoreOptions,
  isNew: boolean,
): Promise<number> {
  const left = new Map(tables);
  const chunks = backup.chunks();
  let next = await chunks.next();
  async function* chunksOf(table: string) {
    for (; !next.done && next.value.table === table; next = await chunks.next()) {
      yield next.value;
      progress.addRows(next.value.rows);
    }
  }
  let total = 0;
  while (!next.done) {
    const table = left.get(next.value.table);
    if (table === undefined) throw damagedBackup('its tables are in the wrong order');
    left.delete(table.name);
    progress.begin(table.name, 0);
    // Uses FREEZE, which saves a later VACUUM, for tables that this transaction created, as it requires.
    const option = isNew && !table.isPartitioned ? '(FREEZE)' : '';
    total += await copyTable(client, table, option, chunksOf(table.name));
  }
  return total;
}

/** @returns the number of rows @throws DatabaseError of pg, or BackupError if PostgreSQL counted another number */
async function copyTable(
  client: pg.ClientBase,
  { name, columns }: CatalogueTable,
  option: '' | '(FREEZE)',
  chunks: AsyncIterable<Chunk>,
): Promise<number> {
  // A trigger sees this SQL comment and skips its search for stored idempotency keys.
  const text = `COPY ${quoted(name)} (${quotedList(columns)}) FROM STDIN ${option} /* not stored yet */`;
  const stream = client.query(copyFrom(text));
  let failure: Error | undefined;
  let onFailure: (error: Error) => void = () => {};
  stream.on('error', (error: Error) => {
    failure = error;
    onFailure(error);
  });
  const runStep = (start: (done: () => void) => void) =>
    new Promise<void>((resolve, reject) => {
      onFailure = reject;
      if (failure) reject(failure);
      else start(resolve);
    });
  let copied = 0;
  try {
    for await (const { data, rows } of chunks) {
      await runStep((done) => stream.write(data, done));
      copied += rows;
    }
    await runStep((done) => stream.end(done));
  } catch (error) {
    if (failure === undefined) stream.destroy();
    throw error;
  }
  if (stream.rowCount !== copied) throw damagedBackup(`rows of ${name} are missing`);
  return copied;
}

/** Makes each table's next id greater than that of the backup, than its highest id and than its last generated id. */
async function setIdentities(client: pg.Client, { tables }: Manifest): Promise<void> {
  const sequence = 'pg_get_serial_sequence(quote_ident($1), $2)::regclass';
  for (const { name, identity } of tables) {
    if (identity === null) continue;
    await client.query(
      `SELECT setval(${sequence}, highest) FROM (
         SELECT greatest($3::bigint, pg_sequence_last_value(${sequence}), (SELECT max(${quoted(identity.column)}) FROM ${quoted(name)}))
           AS highest) AS ids
        WHERE highest IS NOT NULL`,
      [name, identity.column, identity.last],
    );
  }
}
