import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import product from '../../package.json' with { type: 'json' };
import type { DatabaseTarget } from '../database/client.ts';
import { executedMigrations, migrationNames } from '../database/migrate.ts';
import { type BackupTable, tablesOfBackup } from '../database/tables.ts';
import { onUnpooledConnection, setTextFormats } from '../database/unpooled-connection.ts';
import { BackupError } from './backup-error.ts';
import { BackupWriter, chunkBytes, type Sink } from './backup-file.ts';
import { type CatalogueTable, describeTables, quoted, quotedList } from './catalogue.ts';
import type { Manifest, TableInBackup } from './manifest.ts';
import type { Progress } from './progress.ts';

export interface BackupWritten {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupOptions {
  readonly target: DatabaseTarget;
  /** Null backs up the installation. */
  readonly school: number | null;
  readonly sink: Sink;
  readonly progress: Progress;
  readonly stop: AbortSignal;
}

/** Writes a backup of one moment. Only schema changes wait until it ends. @throws BackupError, or an error of pg */
export function writeBackup({ target, school, sink, progress, stop }: BackupOptions): Promise<BackupWritten> {
  return onUnpooledConnection(target, stop, async (client) => {
    const there = await existingTables(client, school);
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await setTextFormats(client);
    // The first SELECT fixes the snapshot. Locks before it ensure that the schema is still the one of the snapshot.
    await client.query(`LOCK TABLE ${quotedList(there.map(({ name }) => name))} IN ACCESS SHARE MODE`);
    const { manifest, tables } = await buildManifest(client, school, there);
    const writer = new BackupWriter(sink);
    await writer.begin(manifest);
    let rows = 0;
    for (const table of tables) {
      progress.begin(table.name, table.estimate);
      rows += await copyTable(client, table, writer, progress);
    }
    await client.query('COMMIT');
    return { rows, ...(await writer.end()) };
  });
}

type TableToCopy = CatalogueTable & BackupTable;

async function buildManifest(client: pg.Client, school: number | null, there: readonly BackupTable[]) {
  const migrations = await executedMigrations(client);
  const unknown = migrations.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new BackupError(
      `The database has the schema of a newer Classledger (${unknown[0]}): back it up with that release`,
    );
  }
  const names = there.map(({ name }) => name);
  const described = await describeTables(client, names);
  const tables = there.flatMap(({ name, condition }) => {
    const table = described.get(name);
    return table ? [{ ...table, condition }] : [];
  });
  const { rows: moment } = await client.query<{ now: string }>(
    "SELECT date_trunc('milliseconds', now()) AS now",
  );
  const listed: TableInBackup[] = [];
  for (const table of tables) {
    const { name, columns, identity } = table;
    listed.push({ name, columns, identity, days: await daysOf(client, table) });
  }
  const manifest: Manifest = {
    product: product.version,
    createdAt: moment[0]?.now ?? '',
    migrations,
    school: school === null ? null : await findSchool(client, school),
    tables: listed,
  };
  return { manifest, tables };
}

/** Returns the backup tables that the database has, because an older schema lacks some. */
async function existingTables(client: pg.Client, school: number | null): Promise<BackupTable[]> {
  const tables = tablesOfBackup(school);
  const names = tables.map(({ name }) => name);
  const there = await describeTables(client, names);
  if (there.size === 0) throw new BackupError('The database holds no data of Classledger');
  return tables.filter(({ name }) => there.has(name));
}

async function daysOf(client: pg.Client, { name, condition, isPartitioned }: TableToCopy) {
  if (!isPartitioned) return null;
  const { rows } = await client.query<{ first: string | null; last: string }>(
    `SELECT min(created_at)::date AS first, max(created_at)::date AS last FROM ${quoted(name)} ${where(condition)}`,
  );
  const [days] = rows;
  return days?.first ? { first: days.first, last: days.last } : null;
}

const where = (condition: string | undefined) => (condition === undefined ? '' : `WHERE ${condition}`);

async function findSchool(client: pg.Client, id: number) {
  const { rows } = await client.query<{ id: number; name: string; createdAt: string }>(
    'SELECT id, name, created_at AS "createdAt" FROM school WHERE id = $1',
    [id],
  );
  if (!rows[0]) throw new BackupError(`There is no school ${id}`);
  return rows[0];
}

const newline = 10;

async function copyTable(
  client: pg.Client,
  { name, columns, key, condition }: TableToCopy,
  writer: BackupWriter,
  progress: Progress,
): Promise<number> {
  const order = key.length > 0 ? `ORDER BY ${quotedList(key)}` : '';
  const source = client.query(
    copyTo(
      `COPY (SELECT ${quotedList(columns)} FROM ${quoted(name)} ${where(condition)} ${order}) TO STDOUT`,
    ),
  );
  let rows = 0;
  await pipeline(source, async (pieces: AsyncIterable<Buffer>) => {
    let parts: Buffer[] = [];
    let size = 0;
    const flush = async (data: Buffer) => {
      const count = countLines(data);
      rows += count;
      await writer.writeRows({ table: name, rows: count, data });
      progress.addRows(count);
    };
    for await (const piece of pieces) {
      const end = size + piece.length >= chunkBytes ? piece.lastIndexOf(newline) + 1 : 0;
      if (end === 0) {
        parts.push(piece);
        size += piece.length;
        continue;
      }
      await flush(Buffer.concat([...parts, piece.subarray(0, end)]));
      parts = [piece.subarray(end)];
      size = piece.length - end;
    }
    if (size > 0) await flush(Buffer.concat(parts));
  });
  if (rows !== source.rowCount) throw new BackupError(`The rows of ${name} did not all arrive`);
  return rows;
}

/** Counts rows: COPY escapes line breaks in values, so each line is a row. */
function countLines(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(newline); at >= 0; at = data.indexOf(newline, at + 1)) count += 1;
  return count;
}
