import type pg from 'pg';
import { beforeEach, expect, inject, it } from 'vitest';
import { type CutMoment, DatabaseProxy } from '../../test/database-proxy.ts';
import { createDatabase, runOnServer } from '../../test/own-database.ts';
import { atEndOfFile, openConnection } from '../../test/test-app.ts';
import { BatchWriter, unnumberedBatch } from './batch-writer.ts';
import { query } from './connect.ts';

const proxy = await DatabaseProxy.start(inject('postgres'));
const name = await createDatabase('migrated');
atEndOfFile(() => proxy.close());
const database = openConnection({ ...proxy.address, database: name });
const writer = new BatchWriter(database.pool);

beforeEach(() => database.pool.query('DELETE FROM announcement'));

const insert = (client: pg.ClientBase, title: string) =>
  query(
    client,
    `INSERT INTO announcement (title, content, type, active, created_at, updated_at)
     VALUES ($1, '', 'info', true, now(), now())`,
    [title],
  );

async function written(): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT title FROM announcement ORDER BY id');
  return rows.map(({ title }) => title);
}

/** Fails to write a batch, because the connection is cut at the commit. @returns a function that retries */
async function broken(at: CutMoment): Promise<() => Promise<void>> {
  const batch = unnumberedBatch();
  const attempt = () => writer.commit(batch, (client) => insert(client, 'doubtful'));
  proxy.cut(at, 'doubtful');
  await expect(attempt()).rejects.toThrow();
  return attempt;
}

it('a batch is written once when other writers write before its retry', async () => {
  const retry = await broken('before the commit');
  const other = new BatchWriter(database.pool);
  for (const title of ['one', 'two', 'three'])
    await other.commit(unnumberedBatch(), (to) => insert(to, title));
  await retry();
  expect(await written()).toEqual(['one', 'two', 'three', 'doubtful']);
});

it('a batch whose work throws is rolled back together with its number, and can be retried', async () => {
  const batch = unnumberedBatch();
  const failing = async (client: pg.ClientBase) => {
    await insert(client, 'undone');
    throw new Error('no more of it');
  };
  await expect(writer.commit(batch, failing)).rejects.toThrow('no more of it');
  await writer.commit(batch, (client) => insert(client, 'done'));
  expect(await written()).toEqual(['done']);
});

// Last, because it replaces the database.
it('a batch is written once to a restored database without its commit, whatever its transaction id means there', async () => {
  const successor = await createDatabase('migrated');
  const retry = await broken('after the commit');
  // On the same server, the successor knows the transaction's number as committed.
  await runOnServer(`DROP DATABASE ${name} WITH (FORCE)`);
  await runOnServer(`ALTER DATABASE ${successor} RENAME TO ${name}`);
  await retry();
  await retry();
  expect(await written()).toEqual(['doubtful']);
});
