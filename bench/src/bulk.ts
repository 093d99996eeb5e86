import { setTimeout as pause } from 'node:timers/promises';
import type { ImportRun } from '@classledger/contract';
import { openRemoteSchool } from '../../server/test/remote.ts';
import { runBenchmark } from './benchmark.ts';
import { firstAdmin, type Product } from './processes/product.ts';
import { formatLatencies, repeatFor, repeatRequest } from './repeat-request.ts';

/** Times importing, updating and undoing a list of students, and other requests meanwhile. `npm run bench:bulk`. */

const students = 3_000;

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}

async function importAll({ remote, admin }: Product): Promise<void> {
  const { schoolDb, classId } = await openRemoteSchool(remote, firstAdmin);
  const settled = async (id: number): Promise<ImportRun> => {
    for (;;) {
      const run = await admin.data<ImportRun>('GET', `/imports/${id}?schoolDb=${schoolDb}`);
      if (run.state !== 'running' && run.state !== 'undoing') return run;
      await pause(100);
    }
  };
  const check = (batch: readonly object[]) =>
    admin.data<{ unchangedCount: number }>('POST', '/imports/check', { schoolDb, batch });
  const run = async (batch: readonly object[]) => {
    const body = { schoolDb, source: 'list', batch };
    const { id } = await admin.data<{ id: number }>('POST', '/imports', body);
    const { state, doneCount, failedCount } = await settled(id);
    if (state !== 'finished' || doneCount - failedCount !== students) throw new Error(`Import ${state}`);
    return id;
  };
  const undo = async (id: number) => {
    await admin.data('POST', `/imports/${id}/undo?schoolDb=${schoolDb}`);
    const { restoredCount } = await settled(id);
    if (restoredCount !== students) throw new Error(`Only ${restoredCount} of ${students} were undone`);
  };
  const named = (suffix: string) =>
    Array.from({ length: students }, (_, n) => ({
      username: `student${n}`,
      actualName: `Student ${n}${suffix}`,
      classId,
    }));
  const [list, renamed] = [named(''), named(' B')];
  await timed(`checking ${students} new students`, () => check(list));
  const first = await timed('importing them, a password for each', () => run(list));
  const { unchangedCount } = await timed('checking the same list again', () => check(list));
  if (unchangedCount !== students)
    throw new Error(`Only ${unchangedCount} of ${students} have nothing to do`);
  await timed('checking a list that renames all', () => check(renamed));
  const second = await timed('importing it', () => run(renamed));
  await timed('undoing it', () => undo(second));
  await timed('undoing the first import', () => undo(first));
}

await runBenchmark({ name: 'bulk' }, async ({ school, ...product }) => {
  const point = { schoolDb: school.schoolId, userId: school.studentIds[0], scoreChange: 1 };
  const givePoint = () => product.admin.data('POST', '/scores/add', { ...point, description: 'Homework' });
  console.log(`points of another school: ${formatLatencies(await repeatFor(5, givePoint))}`);
  const beside = repeatRequest(givePoint);
  await importAll(product);
  console.log(`the same beside all this: ${formatLatencies(await beside.stop())}`);
  return [];
});
