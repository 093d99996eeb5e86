import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { backupOf, contentOf, everythingIn, newDatabase, restoreInto } from '../../test/backups.ts';
import { eventually } from '../../test/eventually.ts';
import { openSchool, startTestApp, studentPassword } from '../../test/test-app.ts';
import { withClient } from '../../test/with-client.ts';
import { connectDatabase } from '../database/connect.ts';
import { migrateInTransaction, migrationNames } from '../database/migrate.ts';
import { inTransaction } from '../database/transaction.ts';

const rowsOf = (target: pg.PoolConfig, text: string) =>
  withClient(target, async (client) => (await client.query(text)).rows);

const keyed = { 'idempotency-key': 'breakfast' };
const opened = await openSchool();
const { office, school } = opened;
const [first, second] = school.grades[0].classes[0].students;
const loaded = await backUpUnderLoad();
await writeRecords();
await opened.test.app.close();
const file = await backupOf(opened.test.databaseTarget);
const restored = await newDatabase('empty');
await restoreInto(restored, file);

/** Backs up while callers write, and while there is a webhook. */
async function backUpUnderLoad() {
  const webhook = { url: 'https://receiver.example/', events: ['student.created'] };
  const { id: webhookId } = await office.created<{ id: number }>('/webhooks', webhook);
  const acknowledged: number[] = [];
  let isOver = false;
  const work = school.grades[1].classes[0].students.map(async ({ id }) => {
    while (!isOver) acknowledged.push(await office.give(id, 1));
  });
  await eventually('writes are acknowledged', () => acknowledged.length > 30);
  const before = [...acknowledged];
  const backup = await backupOf(opened.test.databaseTarget);
  const after = acknowledged.length;
  isOver = true;
  await Promise.all(work);
  expect(after).toBeGreaterThan(before.length);
  await office.delete(`/webhooks/${webhookId}`);
  return { backup, before, webhookId };
}

async function writeRecords(): Promise<void> {
  const { admin, test } = opened;
  await office.give(first.id, 5, 'line\nbreak \\ tab\t "quote" 奖励');
  await office.post('/scores', { userId: first.id, scoreChange: 2 }, keyed);
  const revoked = await office.give(second.id, -3);
  await office.delete(`/scores/${revoked}`);
  await admin.created('/announcements', { title: 'News', content: '<b>Hello</b>', type: 'info' });
  await createAdmin(test, { username: 'head', role: 'school_admin', schoolId: school.id });
  await test.signInStudent(school.schoolDb, first.username);
}

it('a backup contains every row of every table except sessions and temporary state', async () => {
  const before = await contentOf(opened.test.databaseTarget);
  expect(await contentOf(restored)).toEqual(before);
  const filled = ['school', 'score_record', 'idempotency_key', 'activity', 'announcement', 'api_token'];
  for (const table of filled) expect(before[table], table).not.toEqual([]);
  const sessions = 'SELECT created_at FROM admin_session UNION SELECT created_at FROM student_session';
  expect(await rowsOf(restored, sessions)).toEqual([]);
  expect(await rowsOf(opened.test.databaseTarget, sessions)).not.toEqual([]);
});

it('restoring a backup restores the same schema, indexes, foreign keys and triggers', async () => {
  const schema = (target: pg.PoolConfig) =>
    rowsOf(
      target,
      `SELECT conrelid::regclass::text AS place, conname AS name, pg_get_constraintdef(oid) AS what
             FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conparentid = 0 AND conrelid::regclass::text !~ '_(2\\d{7}|default)$'
           UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename !~ '_(2\\d{7}|default)$'
           UNION ALL SELECT relname, relpersistence::text, '' FROM pg_class
             WHERE relnamespace = 'public'::regnamespace AND NOT relispartition AND relkind IN ('r', 'p')
           UNION ALL SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0
           ORDER BY 1, 2, 3`,
    );
  expect(await schema(restored)).toEqual(await schema(opened.test.databaseTarget));
});

it('a database that contains data rejects a restore', async () => {
  const refusal = /already holds data .* restore into an empty one/;
  await expect(restoreInto(restored, file)).rejects.toThrow(refusal);
});

it('two backups of the same data are identical, except for their time', async () => {
  const again = await backupOf(restored);
  const moment = /"createdAt":"[^"]*"/;
  const withoutMoment = (bytes: Buffer) => bytes.toString('latin1').replace(moment, '').slice(0, -100);
  expect(withoutMoment(again)).toBe(withoutMoment(file));
});

it('a restore sets the id sequences, so no id is issued twice', async () => {
  const next = (target: pg.PoolConfig) =>
    rowsOf(
      target,
      `SELECT relname, nextval(pg_get_serial_sequence(quote_ident(relname), attname)) AS next
             FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
            WHERE attidentity <> '' AND relname NOT LIKE '%session' AND relname <> 'change' AND NOT relispartition ORDER BY 1`,
    );
  expect(await next(restored)).toEqual(await next(opened.test.databaseTarget));
});

it('credentials, passwords and idempotency keys work after a restore', async () => {
  const test = await startTestApp({}, { on: restored });
  const moved = test.with(office);
  const total = async () => {
    return (await moved.read<{ totalScore: number }>(`/students/${first.id}`)).totalScore;
  };
  expect(await total()).toBe(7);
  expect((await moved.post('/scores', { userId: first.id, scoreChange: 2 }, keyed)).status).toBe(200);
  expect(await total()).toBe(7);
  await test.signIn();
  await test.signInStudent(school.schoolDb, first.username, studentPassword);
  await test.expectVerifiedLedger();
});

it('a backup under load contains every write acknowledged before it and totals that match the ledger; webhooks wait for an administrator', async () => {
  const target = await newDatabase('migrated');
  expect(await restoreInto(target, loaded.backup)).toMatchObject({ webhooksStopped: 1 });
  const there = new Set((await rowsOf(target, 'SELECT id FROM score_record')).map(({ id }) => Number(id)));
  expect(loaded.before.filter((id) => !there.has(id))).toEqual([]);

  const test = await startTestApp({}, { on: target });
  const path = `/webhooks/${loaded.webhookId}`;
  const stopped = { active: false, stoppedBecause: 'restored' };
  expect((await test.with(office).get(path)).data).toMatchObject(stopped);
  const resumed = await (await test.signIn()).patch(path, { active: true });
  expect(resumed.data).toMatchObject({ active: true, stoppedBecause: null });
});

describe('Backup of an older schema', async () => {
  const fresh = await newDatabase('empty');

  it('of a database without Classledger data is rejected and creates nothing', async () => {
    await expect(backupOf(fresh)).rejects.toThrow('The database holds no data of Classledger');
    expect(await everythingIn(fresh)).toEqual([]);
  });

  it('is restored and migrated to the current schema', async () => {
    const target = await newDatabase('empty');
    const connection = connectDatabase(target);
    await inTransaction(connection.db, (tx) => migrateInTransaction(tx, { last: migrationNames[6] }));
    await connection.end();
    await rowsOf(
      target,
      `INSERT INTO school (name, created_at) VALUES ('Old School', now());
       INSERT INTO grade (school_id, name, created_at) VALUES (1, 'Grade 1', now());
       INSERT INTO idempotency_key (school_id, owner, key, endpoint, request_id, answer, created_at)
         VALUES (1, 'token 1', 'k', 'e', gen_random_uuid(), '\\x00ff', now())`,
    );
    const { manifest, rows } = await restoreInto(fresh, await backupOf(target));
    expect([manifest.migrations.length, rows]).toEqual([7, 3]);
    const test = await startTestApp({}, { on: fresh });
    const admin = await test.signIn();
    expect(await admin.get('/schools')).toMatchObject({ status: 200, data: [{ name: 'Old School' }] });
  });
});
