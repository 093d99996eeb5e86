import { expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { openSchool, TestClock } from './test-app.ts';
import { TestImports } from './test-imports.ts';

/** The process is killed; the application of this test then does what is left in the same database. */
const clock = new TestClock();
clock.set(new Date().toISOString());
const { test, admin, school } = await openSchool({}, { clock });
const { startServing } = processes();
const startProcess = () =>
  startServing({
    DATABASE_URL: databaseUrl(test.databaseName),
    SECRET_KEY: test.config.secretKey as string,
    LOG_LEVEL: 'fatal',
  });

it('the process after a killed one goes on with an import and with its undo, and does each row exactly once', async () => {
  const imports = new TestImports(test, school.schoolDb, admin);
  const classId = school.grades[0].classes[0].id;
  // Three parts, so that the kill after the first leaves work.
  const batch = Array.from({ length: 600 }, (_, n) => ({ username: `n${n}`, classId }));
  const goOn = async () => {
    // Ends the ownership of the killed process now instead of after half a minute.
    await test.database.pool.query("UPDATE import_job SET owned_until = '-infinity'");
    clock.set(new Date().toISOString());
    await test.app.runImports();
  };

  const first = await startProcess();
  const id = await imports.start(batch);
  await eventually('a part is done', async () => (await imports.read(id)).doneCount > 0);
  await first.kill();
  const { doneCount, state } = await imports.read(id);
  expect(state).toBe('running');
  expect(doneCount).toBeLessThan(600);
  await goOn();
  expect(await imports.read(id)).toMatchObject({ state: 'finished', createdCount: 600, doneCount: 600 });
  const rows = await imports.rows(id);
  expect(new Set(rows.map(({ userId }) => userId)).size).toBe(600);
  expect(rows.every(({ initialPassword }) => initialPassword !== undefined)).toBe(true);
  for (const row of [rows[0], rows[599]]) {
    await test.signInStudent(school.schoolDb, row?.username as string, row?.initialPassword);
  }
  await test.expectVerifiedLedger();

  await imports.requestUndo(id);
  const second = await startProcess();
  await eventually('a part is undone', async () => (await imports.read(id)).restoredCount > 0);
  await second.kill();
  await goOn();
  expect(await imports.read(id)).toMatchObject({ state: 'undone', restoredCount: 598, keptCount: 2 });
  await test.expectVerifiedLedger();
});
