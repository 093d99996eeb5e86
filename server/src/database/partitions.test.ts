import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase, runOnServer } from '../../test/own-database.ts';
import { removeExpired } from '../../test/stored-rows.ts';
import { atEndOfFile, openConnection, openSchool, startTestApp, TestClock } from '../../test/test-app.ts';
import { housekeepingLocks } from './advisory-locks.ts';
import type { DatabaseConnection } from './connect.ts';
import {
  dayMs,
  dayOf,
  listPartitions,
  maintainPartitions,
  oldestInDefaultPartition,
  type PartitionedTable,
  partitionedTables,
  planPartitions,
} from './partitions.ts';

const tables = Object.keys(partitionedTables) as PartitionedTable[];
const hourMs = 3_600_000;
const name = await createDatabase('migrated');
const connect = (user?: string) => openConnection({ database: name, ...(user && { user }) });
const database = connect();

// Every test begins with empty tables without partitions, as right after the migrations.
beforeEach(async () => {
  await database.pool.query(tables.map((table) => `SELECT drop_days('${table}', '2100-01-01')`).join(';'));
});

const grant = (rights: string, role: string) => database.pool.query(`GRANT ${rights} TO ${role}`);
const mayKeepDays = 'EXECUTE ON FUNCTION make_day(text, date), drop_days(text, date)';

async function newRole(rights: string): Promise<string> {
  const role = `r_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(`CREATE ROLE ${role} LOGIN`);
  atEndOfFile(() => runOnServer(`DROP ROLE ${role}`));
  await database.pool.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  await grant(`${rights} ON ALL TABLES IN SCHEMA public`, role);
  return role;
}

async function write({ pool }: DatabaseConnection, at: string, count = 1): Promise<void> {
  await pool.query(
    `INSERT INTO audit_record (school_id, created_at, status_code, latency_ms, request_id, method, path, ip)
     SELECT 7, $1, 200, 1, gen_random_uuid(), 'GET', '/api/v1/ping', '::1' FROM generate_series(1, $2::int)`,
    [at, count],
  );
}

/** Expects rows in these partitions, one for each instant. Citus adds the number of the shard to the names. */
async function expectStored({ pool }: DatabaseConnection, ...parts: string[]): Promise<void> {
  const { rows } = await pool.query<{ part: string }>(
    'SELECT DISTINCT created_at, tableoid::regclass::text AS part FROM audit_record ORDER BY 1',
  );
  expect(rows.map(({ part }) => part.replace('audit_record_', '').replace(/_\d{6}$/, ''))).toEqual(parts);
}

const at = (text: string) => new Date(`${text}Z`);
const keep = (connection: DatabaseConnection, now: string, days: number) =>
  maintainPartitions(connection.db, 'audit_record', at(now), new Date(at(now).getTime() - days * dayMs));

const planFor = async ({ db }: DatabaseConnection, table: PartitionedTable, now: Date, days: number) =>
  planPartitions(
    await listPartitions(db, table),
    await oldestInDefaultPartition(db, table),
    now,
    partitionedTables[table],
    new Date(now.getTime() - days * dayMs),
  );

it('daily partitions are created ahead and dropped whole after expiry, and take over rows of the default partition', async () => {
  await write(database, '2026-09-14T23:59:59.999Z');
  await write(database, '2026-09-15T00:00:00.000Z', 3);
  await expectStored(database, 'default', 'default');
  await keep(database, '2026-09-15T10:00:00', 3);
  await expectStored(database, 'default', '20260915');
  await write(database, '2026-09-29T23:59:59.999Z');
  await write(database, '2026-09-30T00:00:00.000Z');
  await write(database, '2026-09-17T00:00:00.000Z', 2);
  // No row expires before its whole day has.
  await keep(database, '2026-09-17T23:00:00', 3);
  await expectStored(database, 'default', '20260915', '20260917', '20260929', '20260930');
  await keep(database, '2026-09-18T00:00:00', 3);
  await expectStored(database, '20260915', '20260917', '20260929', '20260930');
  await keep(database, '2026-09-19T00:00:00', 3);
  await expectStored(database, '20260917', '20260929', '20260930');
  const days = await listPartitions(database.db, 'audit_record');
  expect(days.filter((day) => day < '2026-10-10').sort()).toEqual(
    Array.from({ length: 18 }, (_, i) => dayOf(at('2026-09-16T00:00:00').getTime() + i * dayMs)),
  );
  await keep(database, '2026-09-19T00:00:00', 3);
  await expectStored(database, '20260917', '20260929', '20260930');
});

it('an expired partition that a reader uses is dropped later, and housekeeping does not wait', async () => {
  await keep(database, '2026-09-15T10:00:00', 3);
  await write(database, '2026-09-15T10:00:00.000Z');
  const reader = await database.pool.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM audit_record');
  await keep(database, '2026-09-19T10:00:00', 3);
  await expectStored(database, '20260915');
  await reader.query('COMMIT');
  reader.release();
  await keep(database, '2026-09-19T10:00:00', 3);
  await expectStored(database);
});

it('several processes that maintain partitions at once create each day once', async () => {
  const all = [database, ...Array.from({ length: 4 }, () => connect())];
  await keep(database, '2026-09-10T10:00:00', 3);
  await write(database, '2026-09-10T12:00:00.000Z');
  await write(database, '2026-09-15T12:00:00.000Z');
  await Promise.all(all.map((each) => keep(each, '2026-09-15T10:00:00', 3)));
  // One process made at least the first day. This run makes the days that other processes skipped.
  await keep(database, '2026-09-15T10:00:00', 3);
  await expectStored(database, '20260915');
  const days = await listPartitions(database.db, 'audit_record');
  expect(new Set(days).size).toBe(days.length);
});

it('a role without CREATE can maintain partitions, if it may run the functions and delete rows', async () => {
  const role = await newRole('SELECT, INSERT, UPDATE, DELETE');
  const server = connect(role);
  await expect(keep(server, '2026-09-15T10:00:00', 3)).rejects.toMatchObject({ code: '42501' });
  await grant(mayKeepDays, role);
  await write(server, '2026-09-15T10:00:00.000Z');
  await keep(server, '2026-09-15T10:00:00', 3);
  await expectStored(server, '20260915');
  await keep(server, '2026-09-19T10:00:00', 3);
  await expectStored(server);
  const create = server.pool.query('CREATE TABLE foreign_one (id int)');
  await expect(create).rejects.toMatchObject({ code: '42501' });
  for (const table of ['student', 'pg_class', "x'; DROP TABLE seat; --"]) {
    const drop = server.pool.query("SELECT drop_days($1, '2030-01-01')", [table]);
    await expect(drop).rejects.toMatchObject({ code: '22023' });
  }
  const readerRole = await newRole('SELECT');
  await grant(mayKeepDays, readerRole);
  await expect(keep(connect(readerRole), '2026-09-25T10:00:00', 3)).rejects.toMatchObject({
    code: '42501',
  });
  // After SET ROLE, the rights of the new role count.
  await runOnServer(`ALTER ROLE ${readerRole} NOINHERIT; GRANT ${role} TO ${readerRole};
      ALTER ROLE ${readerRole} SET role = ${role}`);
  await keep(connect(readerRole), '2026-09-25T10:00:00', 3);
  await runOnServer(`ALTER ROLE ${readerRole} RESET role`);
  await database.pool.query(`DROP OWNED BY ${role}, ${readerRole}`);
});

it('maintaining partitions runs no function that another role planted in the schema', async () => {
  const role = await newRole('SELECT, INSERT, DELETE');
  await grant(mayKeepDays, role);
  await grant('CREATE ON SCHEMA public', role);
  const server = connect(role);
  const planted = (name: string, parameters: string, returns: string) =>
    server.pool.query(`CREATE FUNCTION public.${name}(${parameters}) RETURNS ${returns} LANGUAGE plpgsql AS $$
        BEGIN RAISE 'foreign code runs as %', current_user; END $$`);
  // Each is a better match for the calls in the functions than PostgreSQL's own.
  await planted('to_char', 'date, text', 'text');
  await planted('format', 'text, text, text', 'text');
  await planted('format', 'text, text', 'text');
  await planted('format', 'text, timestamptz, timestamptz', 'text');
  await server.pool.query(
    `INSERT INTO idempotency_key (school_id, owner, key, endpoint, request_id, answer, created_at)
       VALUES (7, 'token 1', 'k', 'e', gen_random_uuid(), '', '2026-09-15T10:00:00Z')`,
  );
  await write(server, '2026-09-15T10:00:00.000Z');
  for (const table of ['audit_record', 'idempotency_key'] as const) {
    await maintainPartitions(server.db, table, at('2026-09-15T10:00:00'), at('2026-09-12T10:00:00'));
    await maintainPartitions(server.db, table, at('2026-09-19T10:00:00'), at('2026-09-16T10:00:00'));
  }
  await expectStored(database);
  await database.pool.query(`DROP OWNED BY ${role}`);
});

it('a row from a fast clock in the default partition makes no partition due for dropping', async () => {
  await write(database, '2027-09-15T10:00:00.000Z');
  await keep(database, '2026-09-15T10:00:00', 3);
  const due = async (now: string) => (await planFor(database, 'audit_record', at(now), 3)).dropBefore;
  expect(await due('2026-09-15T10:00:00')).toBe(null);
  expect(await due('2027-09-18T10:00:00')).toBe('2027-09-15');
});

it('a table’s partitions are maintained while another process maintains another table', async () => {
  const other = await database.pool.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock($1)', [housekeepingLocks.application]);
  await write(database, '2026-09-15T10:00:00.000Z');
  await keep(database, '2026-09-15T10:00:00', 3);
  await other.query('COMMIT');
  other.release();
  await expectStored(database, '20260915');
});

describe('Idempotency key', async () => {
  const { test, school, office: here } = await openSchool();
  const ahead = new TestClock();
  const there = await startTestApp({}, { shareDatabaseWith: test, clock: ahead });
  const userId = school.grades[0].classes[0].students[0]?.id;
  const keepDays = (of: typeof test) => removeExpired(of, 'idempotency_key');
  const send = (by: typeof here, key: string) =>
    by.post('/scores', { userId, scoreChange: 1 }, { 'idempotency-key': key });
  const replayed = async (by: typeof here, key: string) => {
    const answer = await send(by, key);
    expect(answer.status).toBe(200);
    return answer.headers['idempotency-replayed'] === 'true';
  };

  it('an idempotency key has one effect across midnight and skewed clocks, and lasts 24 hours by each clock', async () => {
    test.clock.set('2026-09-15T23:59:59.990Z');
    ahead.set('2026-09-16T00:45:00.000Z');
    const elsewhere = there.with(here);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        if (i === 15) test.clock.advance(20);
        return send(i % 2 ? here : elsewhere, 'midnight');
      }),
    );
    const fresh = answers.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed']);
    expect(fresh).toHaveLength(1);
    await Promise.all([keepDays(test), keepDays(there)]);
    test.clock.set('2026-09-15T23:59:59.990Z');
    expect(await replayed(elsewhere, 'written ahead')).toBe(false);
    expect(await replayed(here, 'written ahead')).toBe(true);
    expect(await replayed(here, 'written behind')).toBe(false);
    for (let hour = 0; hour <= 24; hour += 12) {
      await keepDays(there);
      expect(await replayed(elsewhere, 'written behind')).toBe(true);
      expect(await replayed(here, 'written ahead')).toBe(true);
      for (const clock of [test.clock, ahead]) clock.advance(12 * hourMs);
    }
    for (const clock of [test.clock, ahead]) clock.advance(16 * hourMs);
    await keepDays(there);
    expect(await replayed(here, 'written behind')).toBe(false);
    expect(await replayed(elsewhere, 'written behind')).toBe(true);
    await test.expectVerifiedLedger();
  });

  it('an idempotency key is used once even without housekeeping for a month', async () => {
    test.clock.advance(35 * dayMs);
    expect(await replayed(here, 'no day')).toBe(false);
    expect(await replayed(here, 'no day')).toBe(true);
    await keepDays(test);
    expect(await replayed(here, 'no day')).toBe(true);
  });
});

const storeKey = (day: string) =>
  `INSERT INTO idempotency_key (school_id, owner, key, endpoint, request_id, answer, created_at)
     VALUES (7, 'token 1', 'k', 'e', gen_random_uuid(), '', '${day}T10:00:00Z')`;

// Citus has no triggers.
it.skipIf(inject('citus'))(
  'DELETE by ctid deletes nothing, because a ctid may name rows of several days',
  async () => {
    for (const day of ['2026-09-15', '2026-09-16']) {
      await write(database, `${day}T10:00:00Z`);
      await database.pool.query(`INSERT INTO activity (school_id, created_at, admin_id, username, action)
        VALUES (7, '${day}T10:00:00Z', 1, 'someone', 'createGrade')`);
    }
    await database.pool.query(storeKey('2026-09-15'));
    for (const [table, rows] of [
      ['audit_record', 2],
      ['activity', 2],
      ['idempotency_key', 1],
    ] as const) {
      const byCtid = `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table})`;
      expect([table, (await database.pool.query(byCtid)).rowCount]).toEqual([table, 0]);
      const bySchool = `DELETE FROM ${table} WHERE school_id = 7`;
      expect([table, (await database.pool.query(bySchool)).rowCount]).toEqual([table, rows]);
    }
  },
);

it.skipIf(inject('citus'))(
  'an INSERT cannot store an idempotency key twice, not even on another day',
  async () => {
    await database.pool.query(storeKey('2026-09-15'));
    const twice = { code: '23505', constraint: 'idempotency_key_pkey' };
    await expect(database.pool.query(storeKey('2026-09-16'))).rejects.toMatchObject(twice);
  },
);

describe('Housekeeping', async () => {
  const test = await startTestApp();

  it('creates the days of all tables, and removes nothing in use when the clock is a year ahead', async () => {
    await test.app.housekeep();
    for (const table of tables) {
      expect(await planFor(test.database, table, test.clock.now(), 30)).toEqual({
        create: [],
        dropBefore: null,
      });
    }
    await write(test.database, test.clock.now().toISOString());
    const clock = new TestClock();
    clock.set('2027-09-15T10:00:00.000Z');
    const fast = await startTestApp({}, { shareDatabaseWith: test, clock });
    await fast.app.housekeep();
    await expectStored(test.database, '20260915');
  });

  it('runs all remaining tasks when one fails, and reports the failures', async () => {
    await test.database.pool.query('DROP FUNCTION make_day, drop_days; DROP TABLE spent_challenge');
    await test.signIn();
    test.clock.advance(100 * dayMs);
    await expect(test.app.housekeep()).rejects.toMatchObject({ errors: { length: 6 } });
    expect((await test.database.pool.query('SELECT 1 FROM admin_session')).rowCount).toBe(0);
  });
});
