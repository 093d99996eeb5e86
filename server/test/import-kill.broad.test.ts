import { expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { openSchool, TestClock } from './test-app.ts';
import { TestImports } from './test-imports.ts';

it('a killed process leaves an import and its undo to the next one, which does each row exactly once', async () => {
  const clock = new TestClock();
  const likeTheProcess = () => clock.set(new Date().toISOString());
  likeTheProcess();
  const { test, admin, school } = await openSchool({}, { clock });
  const imports = new TestImports(test, school.schoolDb, admin);
  const { serving } = processes();
  const startProcess = () =>
    serving({
      DATABASE_URL: databaseUrl(test.databaseName),
      SECRET_KEY: test.config.secretKey as string,
      LOG_LEVEL: 'fatal',
    });
  const classId = school.grades[0].classes[0].id;
  const batch = Array.from({ length: 1_000 }, (_, n) => ({ username: `n${n}`, classId }));
  /** Ends the ownership of the killed process now instead of after half a minute. */
  const goOn = async () => {
    await test.database.pool.query(`UPDATE import_job SET owned_until = '-infinity'`);
    likeTheProcess();
    await test.app.runImports();
  };

  const first = await startProcess();
  const id = await imports.start(batch);
  await eventually('a part is done', async () => (await imports.read(id)).doneCount > 0);
  await first.kill();
  const { doneCount, state } = await imports.read(id);
  expect(state).toBe('running');
  expect(doneCount).toBeLessThan(1_000);
  await goOn();
  expect(await imports.read(id)).toMatchObject({ state: 'finished', createdCount: 1_000, doneCount: 1_000 });
  const rows = await imports.rows(id);
  expect(new Set(rows.map(({ userId }) => userId)).size).toBe(1_000);
  expect(rows.every(({ initialPassword }) => initialPassword !== undefined)).toBe(true);
  const [early, late] = [rows[0], rows[999]];
  for (const row of [early, late]) {
    await test.signInStudent(school.schoolDb, row?.username as string, row?.initialPassword);
  }
  await test.expectProven();

  await imports.askUndo(id);
  const second = await startProcess();
  await eventually('a part is undone', async () => (await imports.read(id)).restoredCount > 0);
  await second.kill();
  await goOn();
  expect(await imports.read(id)).toMatchObject({ state: 'undone', restoredCount: 998, keptCount: 2 });
  await test.expectProven();
});
