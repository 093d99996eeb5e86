import { expect, it } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { openSchool } from '../../test/test-app.ts';
import { withClient } from '../../test/with-client.ts';

const { test, school, office } = await openSchool();
const [place] = school.grades[0].classes;

const ready = async () => (await test.app.http.inject('/readyz')).statusCode;
/** A busy machine may need more than the two seconds of one check. */
const isReady = () => eventually('it is ready', async () => (await ready()) === 200);
const alive = async () => (await test.app.http.inject('/healthz')).statusCode;
const give = () => office.post('/scores', { userId: place.students[0].id, scoreChange: 1 });

/** Runs statements over a separate connection, which may write although the database is read-only. */
async function change(statements: string): Promise<void> {
  await withClient(test.databaseTarget, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    await client.query(statements);
  });
}

/** Statements that need disk space fail as on a full disk. */
const fullWithoutWrites = `CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
  EXECUTE FUNCTION full_disk()`;

it('GET /readyz answers 503 while the disk is full or after a failed write, and 200 once writes succeed', async () => {
  await isReady();
  const fails = `LANGUAGE plpgsql AS $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$`;
  await change(`
      CREATE FUNCTION full_disk() RETURNS event_trigger ${fails};
      CREATE FUNCTION full_disk_row() RETURNS trigger ${fails};
      CREATE TRIGGER full_disk BEFORE INSERT ON score_record EXECUTE FUNCTION full_disk_row();
      ${fullWithoutWrites}`);
  expect(await give()).toMatchObject({ status: 503, code: 50301, headers: { 'retry-after': '1' } });
  expect(await ready()).toBe(503);
  expect(await alive()).toBe(200);
  expect(await office.get('/students')).toMatchObject({ code: 0 });
  await change('DROP EVENT TRIGGER full_disk; DROP TRIGGER full_disk ON score_record');
  test.clock.advance(1_000);
  await isReady();
  expect(await give()).toMatchObject({ code: 0 });
});

it('GET /readyz answers 503 on a full disk even without writes', async () => {
  await change(fullWithoutWrites);
  test.clock.advance(10_000);
  expect(await ready()).toBe(503);
  await change('DROP EVENT TRIGGER full_disk');
  test.clock.advance(1_000);
  await isReady();
});

it('GET /readyz answers 503 while the database is read-only; writes get 503 and reads succeed', async () => {
  const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await change(`ALTER DATABASE ${test.databaseName} SET default_transaction_read_only = on; ${endSessions}`);
  await eventually('it is noticed', async () => (await ready()) === 503);
  expect(await give()).toMatchObject({ status: 503, code: 50301, headers: { 'retry-after': '1' } });
  // The server ended the pooled connections: each may fail once.
  await eventually('reads go on', async () => (await office.get('/students')).code === 0);
  expect(await ready()).toBe(503);
  // Connections that are still read-only are replaced sooner than the pool closes idle connections.
  await change(`ALTER DATABASE ${test.databaseName} RESET default_transaction_read_only`);
  await eventually('writes succeed again', async () => (await give()).code === 0);
  await isReady();
});

it('GET /readyz answers 503 within two seconds while all connections are busy', async () => {
  const { pool } = test.database;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const answers = await Promise.all([ready(), ready(), ready()]);
  for (const client of held) client.release();
  expect(answers).toEqual([503, 503, 503]);
  await isReady();
});
