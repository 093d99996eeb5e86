import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../test/own-database.ts';
import { openSchool } from '../../test/test-app.ts';
import { connectDatabase, type DatabaseConnection, query } from './connect.ts';
import { up as schoolData } from './migrations/0001-school-data.ts';
import { up as access } from './migrations/0002-access.ts';
import { up as schoolLife } from './migrations/0003-school-life.ts';
import { up as accounts } from './migrations/0007-accounts.ts';
import { up as days } from './migrations/0015-days.ts';
import { retentionTasks } from './retention.ts';

/** Statements of release 1.0 on the tables that now have daily partitions. */
const before = {
  claim: `
  SELECT pg_try_advisory_xact_lock(hashtextextended(c.lock_name, 0)) AS free,
    k.endpoint, k.request_id AS "requestId", k.answer
  FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS c (owner, key, lock_name, position)
  LEFT JOIN idempotency_key k ON k.school_id = $1 AND k.owner = c.owner AND k.key = c.key
  ORDER BY c.position`,
  store: `
  INSERT INTO idempotency_key (school_id, owner, key, endpoint, request_id, answer, created_at)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::uuid[], $6::bytea[], $7::timestamptz[])`,
  remove: (table: string) => `
      DELETE FROM "${table}" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "${table}" WHERE created_at < $1::timestamptz
        LIMIT $2))`,
  removeOfSchool: 'delete from "idempotency_key" where "school_id" = $1',
  audit: `
  INSERT INTO audit_record (school_id, created_at, request_id, token_id, token_prefix, method, path, status_code,
    latency_ms, ip, user_agent, error_message)
  SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::uuid[], $4::bigint[], $5::text[], $6::text[],
    $7::text[], $8::int[], $9::real[], $10::text[], $11::text[], $12::text[])`,
  activity: `insert into "activity" ("school_id", "created_at", "admin_id", "username", "action")
    values ($1, $2, 1, 'someone', 'createGrade')`,
};

const opened: DatabaseConnection[] = [];
afterAll(() => Promise.all(opened.map((connection) => connection.end())));

const storing = (owner: string, key: string, at: string) => [
  ...[7, [owner], [key], ['POST /api/v1/scores'], [randomUUID()], [Buffer.from('{}')], [at]],
];
const auditing = (at: string, count: number) => {
  const of = <T>(value: T) => Array.from({ length: count }, () => value);
  const ids = Array.from({ length: count }, () => randomUUID());
  return [
    ...[of(7), of(at), ids, of(1), of('cls_x'), of('GET'), of('/api/v1/ping'), of(200), of(1.5), of('::1')],
    ...[of(null), of(null)],
  ];
};

const { test, school, office } = await openSchool();
const tables = ['audit_record', 'activity', 'idempotency_key'];

/** Runs work on one connection with prepared statements, as servers do. */
async function on<T>(
  work: (
    run: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<pg.QueryResult<Row>>,
  ) => Promise<T>,
) {
  const client = await test.database.pool.connect();
  try {
    return await work((text, values) => query(client, text, values));
  } finally {
    client.release();
  }
}

const count = async (table: string) =>
  (await test.database.pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE school_id = 7`)).rows[0].n;

describe('Server of the previous release on the same database', () => {
  it('writes to daily partitions, and its cleanup deletes nothing from them', async () => {
    await test.app.housekeep();
    await on(async (run) => {
      const dayMs = 86_400_000;
      const now = test.clock.now().getTime();
      for (let day = -2; day < 3; day++) {
        const at = new Date(now + day * dayMs).toISOString();
        await run(before.audit, auditing(at, 40));
        for (let i = 0; i < 40; i++) {
          await run(before.activity, [7, at]);
          await run(before.store, storing('token 1', `of day ${day}, ${i}`, at));
        }
      }
      for (const table of tables) {
        for (let again = 0; again < 7; again++) {
          const { rowCount } = await run(before.remove(table), [new Date(now).toISOString(), 5_000]);
          expect([table, rowCount]).toEqual([table, 0]);
        }
        expect([table, await count(table)]).toEqual([table, 200]);
      }
      // Deletion by key still works.
      await run(before.removeOfSchool, [7]);
      expect(await count('idempotency_key')).toBe(0);
    });
  });

  it('claims each idempotency key once beside servers of this release', async () => {
    const userId = school.grades[0].classes[0].students[0]?.id;
    const key = (name: string) => ({ 'idempotency-key': name });
    const owner = `token ${office.id}`;
    const claim = (name: string) => [school.id, [owner], [name], [`${school.id} ${owner} ${name}`]];
    await on(async (old) => {
      // The new server while the old one holds the key, and after its commit.
      await old('BEGIN');
      expect((await old(before.claim, claim('old first'))).rows).toMatchObject([
        { free: true, endpoint: null },
      ]);
      expect((await office.post('/scores', { userId, scoreChange: 1 }, key('old first'))).status).toBe(409);
      const stored = storing(owner, 'old first', test.clock.now().toISOString());
      await old(before.store, [school.id, ...stored.slice(1)]);
      await old('COMMIT');
      const other = await office.post('/scores', { userId, scoreChange: 1 }, key('old first'));
      expect(other.status).toBe(409);

      await office.post('/scores', { userId, scoreChange: 1 }, key('new first'));
      await old('BEGIN');
      const { rows } = await old(before.claim, claim('new first'));
      expect(rows).toMatchObject([{ free: true, endpoint: 'POST /api/v1/scores' }]);
      await old('ROLLBACK');

      // The old server has looked before the new one stored its key, and stores its own afterwards, even on another
      // day.
      await office.post('/scores', { userId, scoreChange: 1 }, key('meanwhile'));
      await old('BEGIN');
      const later = new Date(test.clock.now().getTime() + 86_400_000).toISOString();
      const error = await old(before.store, [
        school.id,
        ...storing(owner, 'meanwhile', later).slice(1),
      ]).catch((failure: unknown) => failure);
      // With this error, the old server starts again.
      expect(error).toMatchObject({ code: '23505', constraint: 'idempotency_key_pkey' });
      await old('ROLLBACK');
    });
  });
});

describe('Migration to daily partitions', () => {
  it('keeps every row and its privileges, and drops the rows after their time', async () => {
    const database = connectDatabase({ ...inject('postgres'), database: await createDatabase('empty') });
    opened.push(database);
    const { db, pool } = database;
    const migrate = async (...ups: (typeof schoolData)[]) => {
      for (const up of ups) await db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>));
    };
    await migrate(schoolData, access, schoolLife, accounts);
    const now = Date.now();
    const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
    // The last ones come from fast clocks.
    const moments = [
      ...Array.from({ length: 30 }, (_, i) => hoursAgo(i * 20)),
      hoursAgo(-50),
      hoursAgo(-9_000),
    ];
    const client = await pool.connect();
    for (const moment of moments) {
      await query(client, before.audit, auditing(moment, 10));
      await query(client, before.activity, [7, moment]);
      await query(client, before.store, storing('token 1', `at ${moment}`, moment));
    }
    client.release();
    await pool.query('GRANT SELECT, DELETE ON audit_record, idempotency_key TO PUBLIC');
    const contents = async () =>
      (
        await pool.query(`
          SELECT to_jsonb(t) - 'answer' AS row FROM audit_record t UNION ALL SELECT to_jsonb(t) FROM activity t
          UNION ALL SELECT to_jsonb(t) - 'answer' FROM idempotency_key t ORDER BY 1`)
      ).rows;
    const files = async () =>
      (
        await pool.query(
          "SELECT relname, pg_relation_filenode(oid)::int AS file FROM pg_class WHERE relname ~ '^(audit_record|activity|idempotency_key)' AND relkind = 'r'",
        )
      ).rows as { relname: string; file: number }[];
    const [rowsBefore, filesBefore] = [await contents(), await files()];
    await migrate(days);
    expect(await contents()).toEqual(rowsBefore);
    const kept = (await files()).filter(({ relname }) => relname.includes('_until_')).map(({ file }) => file);
    expect(kept.sort()).toEqual(filesBefore.map(({ file }) => file).sort());
    const { rows: rights } = await pool.query(
      "SELECT has_table_privilege('public', t, 'DELETE') AS deletes FROM unnest($1::text[]) AS t",
      [tables],
    );
    expect(rights.map(({ deletes }) => deletes)).toEqual([true, false, true]);
    // The id sequence continues.
    const writer = await pool.connect();
    await query(writer, before.audit, auditing(hoursAgo(0), 1));
    writer.release();
    const { rows: ids } = await pool.query(
      'SELECT max(id)::int AS id, count(DISTINCT id)::int AS n FROM audit_record',
    );
    expect(ids).toEqual([{ id: 321, n: 321 }]);

    const rules = { auditDays: 30, idempotencyHours: 24, applicationDays: 30 };
    const left = async () => (await contents()).length;
    // The other tables do not exist yet.
    const removals = retentionTasks(db, rules).filter(({ table }) =>
      ['audit_record', 'activity', 'idempotency_key'].includes(table),
    );
    const removeExpired = async (at: number) => {
      for (const { run } of removals) await run(new Date(at), new AbortController().signal);
    };
    await removeExpired(now);
    expect(await left()).toBe(rowsBefore.length + 1);
    // Two days more, because the row 50 hours ahead may belong to the third day from now.
    await removeExpired(now + 35 * 86_400_000);
    expect(await left()).toBe(12);
    await removeExpired(now + 420 * 86_400_000);
    expect(await left()).toBe(0);
  });
});
