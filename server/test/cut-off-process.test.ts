import { expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { openSchool, startTestApp } from './test-app.ts';

const { test, admin, office } = await openSchool();
const there = (await startTestApp({}, { shareDatabaseWith: test })).with(office);

it('a process whose notification listener was cut off learns which credentials were disabled or enabled meanwhile, and receives notifications again', async () => {
  expect((await there.get('/students')).code).toBe(0);
  for (const disabled of [true, false]) {
    const listeners = "datname = current_database() AND application_name = 'classledger listener'";
    await test.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listeners}`,
    );
    await admin.patch(`/api-tokens/${office.id}`, { disabled });
    const expected = disabled ? 40103 : 0;
    expect((await office.get('/students')).code).toBe(expected);
    await eventually('the change is known at the other process', async () => {
      return (await there.get('/students')).code === expected;
    });
    await eventually('both processes listen again', async () => {
      const rows = await test.rows(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${listeners}`);
      return rows[0].n === 2;
    });
    expect((await there.get('/students')).code).toBe(expected);
  }
});
