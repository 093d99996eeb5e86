import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import {
  backupOf,
  contentOf,
  everythingIn,
  newDatabase,
  restoreInto,
  restoreOptions,
} from '../../test/backups.ts';
import { randomFrom, testSeed } from '../../test/random.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';
import { withClient } from '../../test/with-client.ts';
import type { Transaction } from '../database/connect.ts';
import { migrationNames } from '../database/migrate.ts';
import { BackupError } from './backup-error.ts';
import { BackupWriter, type Chunk } from './backup-file.ts';
import type { Manifest } from './manifest.ts';
import { matchTables, restoreBackup } from './restore-backup.ts';
import { restoreSchool } from './restore-school.ts';

const { test, office, school } = await openSchool();
for (const { id } of school.grades[0].classes[0].students) await office.give(id, 3, 'homework');
await test.app.close();
const source = test.databaseTarget;
const file = await backupOf(source);
/** Has the schema and no rows, because creating the schema costs a second of CPU time. */
const target = await newDatabase('migrated');
const { manifest, chunks } = await unpacked(file);

const allOf = async (database: pg.PoolConfig) => [await everythingIn(database), await contentOf(database)];
const untouched = await allOf(target);

async function refused(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BackupError);
  const { message } = error as BackupError;
  expect(message).not.toContain('\n');
  expect(message.length).toBeLessThan(300);
  return message;
}

const refusal = (bytes: Buffer) => refused(restoreInto(target, bytes));
// No refused backup may have changed the database.
afterAll(async () => expect(await allOf(target)).toEqual(untouched));

async function unpacked(bytes: Buffer): Promise<{ manifest: Manifest; chunks: Chunk[] }> {
  const { backup } = restoreOptions(target, bytes);
  const manifest = await backup.begin();
  const chunks: Chunk[] = [];
  for await (const chunk of backup.chunks()) chunks.push(chunk);
  return { manifest, chunks };
}

/** Makes a backup with any content and correct digests. */
async function packed(manifest: object, chunks: readonly Chunk[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const writer = new BackupWriter(async (bytes) => parts.push(bytes));
  await writer.begin(manifest as Manifest);
  for (const chunk of chunks) await writer.writeRows(chunk);
  await writer.end();
  return Buffer.concat(parts);
}

describe(`Damaged backup (TEST_SEED=${testSeed})`, () => {
  const random = randomFrom(testSeed);

  const misread = (bytes: Buffer) => refused(unpacked(bytes));

  it('is rejected when any bit is flipped, and nothing is restored', async () => {
    const turned = (at: number, bit: number) => {
      const bytes = Buffer.from(file);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      return bytes;
    };
    for (let round = 0; round < 100; round++) {
      await misread(turned(Math.floor(random() * file.length), Math.floor(random() * 8)));
    }
    // The restore has copied all rows by then.
    expect(await refusal(turned(file.length - 10, 0))).toMatch(/its digest is wrong/);
  });

  it('is rejected when truncated anywhere or followed by more bytes', async () => {
    for (const length of [0, 5, 30, 4_000, file.length - 1]) await misread(file.subarray(0, length));
    for (let round = 0; round < 30; round++) {
      await misread(file.subarray(0, Math.floor(random() * file.length)));
    }
    expect(await refusal(file.subarray(0, file.length - 1))).toMatch(/ends too early/);
    expect(await misread(Buffer.concat([file, Buffer.from('x')]))).toMatch(/there is data after its end/);
  });
});

const headed = (length: string, header: string) => `Classledger backup 1\n${length}${header}`;

it.each<[string, string, RegExp]>([
  ['another kind of file', 'PK\u0003\u0004 and so on, a whole archive of other things', /not a backup/],
  ['an empty file', '', /not a backup/],
  ['a later format', 'Classledger backup 2\nxxxx', /newer Classledger/],
  ['a header of 4 GiB', headed('\xff\xff\xff\xff', '{}'), /header is too long/],
  ['a header that is not JSON', headed('\0\0\0\x02', '{]'), /cannot be read/],
  ['a header without a manifest', headed('\0\0\0\x02', '{}'), /manifest/],
])('a hostile backup is rejected: %s', async (_what, bytes, line) => {
  expect(await refusal(Buffer.from(bytes, 'latin1'))).toMatch(line);
});

it('a hostile backup is rejected when a header states too small or too large a size', async () => {
  for (const bytes of [1, 128 * 1_048_576]) {
    const lied = withHeaders(file, (header) => (header.kind === 'rows' ? { ...header, bytes } : header));
    expect(await refused(unpacked(lied))).toMatch(/cannot be unpacked/);
  }
});

const [first, ...others] = manifest.tables;
const named = (name: string, columns = first?.columns) =>
  ({ ...manifest, tables: [{ ...first, name, columns }, ...others] }) as Manifest;

it('a hostile backup is rejected when it names tables or columns outside its schema', async () => {
  const strange = ['pg_authid', 'kysely_migration', '../../etc/passwd', 'grade'].map((name) => named(name));
  for (const one of [...strange, named('school', ['id", (SELECT 1)'])]) {
    const matched = withClient(target, (client) => matchTables(client, one));
    expect(await refused(matched)).toMatch(/its tables do not match its schema/);
  }
});

const changed = (table: string, from: RegExp, to: string) =>
  chunks.map((chunk) => {
    const data = Buffer.from(chunk.data.toString().replace(from, to));
    return chunk.table === table ? { ...chunk, data } : chunk;
  });
const newer = { product: '9.9.0', migrations: [...migrationNames, '9999-feed'] };

it.each<[string, object, readonly Chunk[], RegExp]>([
  ['a repeated chunk', {}, chunks.flatMap((one) => (one.table === 'grade' ? [one, one] : one)), /is damaged/],
  ['a missing chunk', {}, chunks.filter(({ table }) => table !== 'grade'), /is damaged/],
  ['a chunk in the wrong order', {}, [...chunks, ...chunks.slice(0, 1)], /in the wrong order/],
  ['too few rows', {}, chunks.map((one) => ({ ...one, rows: one.rows + 1 })), /rows of \w+ are missing/],
  ['SQL as a name', named('school"; DROP TABLE school; --'), chunks, /its tables do not match its schema/],
  [
    'a newer release',
    newer,
    chunks,
    /\(9\.9\.0, schema 9999-feed\): restore it with that release or a later/,
  ],
  ['a missing migration', { migrations: migrationNames.slice(1) }, chunks, /list of migrations is wrong/],
  ['no migrations', { migrations: [] }, chunks, /list of migrations is wrong/],
  ['text as an id', {}, changed('school', /^\d+/, 'one'), /invalid input syntax/],
  ['an id without its references', {}, changed('school', /^\d+/, '77'), /foreign key/],
  ['other totals than the ledger', {}, changed('score_record', /\t3\t/, '\t4\t'), /total 3, .*total 4,/],
  // Control characters must not reach the terminal.
  [
    'a hostile school',
    { school: { id: 1, name: 'Hill\u001b\u0007\u009b2J', createdAt: manifest.createdAt } },
    chunks,
    /"Hill {3}2J"/,
  ],
  ['a hostile time', { createdAt: '\u001b[2J' }, chunks, /manifest/],
])('a hostile backup is rejected with %s', async (_what, other, content, line) => {
  expect(await refusal(await packed({ ...manifest, ...other }, content))).toMatch(line);
});

it('a hostile backup creates no tables for future days that it names', async () => {
  const days = { first: manifest.createdAt.slice(0, 10), last: '2999-12-31' };
  const tables = manifest.tables.map((table) => (table.name === 'activity' ? { ...table, days } : table));
  const other = await newDatabase('migrated');
  await restoreInto(other, await packed({ ...manifest, tables }, chunks));
  const made = (await everythingIn(other)).filter((each) => /^activity_2[1-9]/.test(each));
  expect(made).toEqual([]);
});

it('a hostile backup of a school cannot add rows of another school or a super administrator', async () => {
  const here = await startTestApp({ ADMIN_USERNAME: 'somebody-else' });
  const before = await contentOf(here.databaseTarget);
  const ofSchool = await unpacked(await backupOf(source, school.id));
  const { tables } = ofSchool.manifest;
  const order = ({ table }: Chunk) => tables.findIndex(({ name }) => name === table);

  /** Adds the first row of a table, with some cells changed. */
  function withRow(table: string, from: readonly Chunk[], changes: Record<string, string>): Chunk[] {
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const [row = ''] = String(from.find((chunk) => chunk.table === table)?.data).split('\n');
    const cells = row.split('\t').map((cell, at) => changes[columns[at] ?? ''] ?? cell);
    const others = ofSchool.chunks.filter((chunk) => chunk.table !== table);
    const own = ofSchool.chunks.find((chunk) => chunk.table === table);
    const data = Buffer.concat([own?.data ?? Buffer.alloc(0), Buffer.from(`${cells.join('\t')}\n`)]);
    return [...others, { table, rows: (own?.rows ?? 0) + 1, data }].sort((a, b) => order(a) - order(b));
  }

  for (const [table, from, changes] of [
    ['admin', chunks, {}],
    ['school', ofSchool.chunks, { id: String(school.id + 1) }],
    ['grade', ofSchool.chunks, { id: '-5', name: 'Below' }],
  ] as const) {
    const bytes = await packed(ofSchool.manifest, withRow(table, from, changes));
    const message = await refused(restoreSchool(restoreOptions(here.databaseTarget, bytes)));
    expect(message).toMatch(new RegExp(`rows of ${table} belong to another school`));
    expect(await contentOf(here.databaseTarget)).toEqual(before);
  }
  const announcing = { ...ofSchool.manifest, tables: manifest.tables };
  const matched = withClient(here.databaseTarget, (client) => matchTables(client, announcing));
  expect(await refused(matched)).toMatch(/its tables do not match/);
});

const empty = await newDatabase('empty');

async function interrupted(how: (stop: AbortController, pid: number) => unknown): Promise<void> {
  const stop = new AbortController();
  const order = restoreOptions(empty, file);
  const verify = async (tx: Transaction) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
    await how(stop, rows[0]?.pid as number);
    await order.verify(tx);
  };
  await restoreBackup({ ...order, stop: stop.signal, verify });
}

it('an interrupted restore leaves an empty database, and the next restore succeeds', async () => {
  const asked = interrupted((stop) => stop.abort(new Error('asked to stop')));
  await expect(asked).rejects.toThrow('asked to stop');
  expect(await everythingIn(empty)).toEqual([]);
  const terminated = interrupted((_stop, pid) =>
    withClient(source, (client) => client.query('SELECT pg_terminate_backend($1)', [pid])),
  );
  await expect(terminated).rejects.toThrow();
  expect(await everythingIn(empty)).toEqual([]);
  await restoreInto(empty, file);
  expect(await contentOf(empty)).toEqual(await contentOf(source));
});

function withHeaders(bytes: Buffer, change: (header: Record<string, unknown>) => object): Buffer {
  let at = bytes.indexOf('\n') + 1;
  const parts = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const header = JSON.parse(bytes.toString('utf8', at + 4, end)) as Record<string, unknown>;
    const text = Buffer.from(JSON.stringify(change(header)));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    at = end + Number(header.packed ?? 0);
    parts.push(length, text, bytes.subarray(end, at));
  }
  return Buffer.concat(parts);
}
