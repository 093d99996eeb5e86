import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

const test = await startTestApp();
const other = await startTestApp({}, { shareDatabaseWith: test });
const admin = await test.signIn();

describe('a process whose notification listener was cut off', () => {
  it('learns which credentials were disabled or enabled meanwhile, and receives notifications again', async () => {
    const school = await createSampleSchool(admin, 'Cut off');
    const token = await school.issue({});
    const there = other.with(token);
    expect((await there.get('/students')).code).toBe(0);
    for (const disabled of [true, false]) {
      const listeners = "datname = current_database() AND application_name = 'classledger listener'";
      await test.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listeners}`,
      );
      await admin.patch(`/api-tokens/${token.id}`, { disabled });
      const expected = disabled ? 40103 : 0;
      expect((await token.get('/students')).code).toBe(expected);
      await eventually('the change is known at the other process', async () => {
        return (await there.get('/students')).code === expected;
      });
      await eventually('both processes listen again', async () => {
        const { rows } = await test.database.pool.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${listeners}`,
        );
        return rows[0].n === 2;
      });
      expect((await there.get('/students')).code).toBe(expected);
    }
  });

  it('serves reads and writes again after the database has ended all its sessions', async () => {
    const school = await createSampleSchool(admin, 'Ended sessions');
    const token = await school.issue({});
    const userId = school.grades[0].classes[0].students[0]?.id as number;
    await token.post('/scores', { userId, scoreChange: 1 });
    await test.database.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await eventually('reads and writes are served again', async () => {
      const answers = [await token.get('/students'), await token.post('/scores', { userId, scoreChange: 1 })];
      return answers.every((answer) => answer.code === 0);
    });
  });
});
