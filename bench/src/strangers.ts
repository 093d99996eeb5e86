import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runBenchmark } from './benchmark.ts';
import { type FloodCount, floodNames } from './floods.ts';
import { Child } from './processes/child.ts';
import { peakMiB, resetPeakMemory } from './processes/usage.ts';
import { formatLatencies, percentileMs, repeatFor } from './repeat-request.ts';

/** Floods the server while a teacher gives points. `npm run bench:strangers`. */

const seconds = 60;
const bounds = { memoryMiB: 400, tapMedianMs: 100, diskGiBPerHour: 1 };

await runBenchmark({ name: 'strangers' }, async ({ port, pid, admin, school, folder }) => {
  const { schoolId: schoolDb, studentIds } = school;
  const diskBefore = await sizeOf(folder);
  resetPeakMemory(pid);
  // Uses two processes, so that a slow flood cannot slow the fast one.
  const slow = floodNames.filter((name) => name !== 'refusedCalls');
  const children = await Promise.all(
    [slow, ['refusedCalls']].map((names) => Child.start('floods.ts', String(port), ...names)),
  );
  const failures: string[] = [];
  let n = 0;
  const tap = async () => {
    const body = { schoolDb, userId: studentIds[n % 30], scoreChange: 1 };
    const key = { 'idempotency-key': `tap ${n++}` };
    await admin.data('POST', '/scores/add', body, key).catch(({ message }) => failures.push(message));
  };
  const latencies = await repeatFor(seconds, tap, 200);
  const memory = peakMiB(pid);
  const gibPerHour = (((await sizeOf(folder)) - diskBefore) / 2 ** 30) * (3_600 / seconds);
  const counts = await Promise.all(children.map(({ child }) => child.ask<Record<string, FloodCount>>({})));
  await Promise.all(children.map(({ child }) => child.stop()));
  console.table(Object.assign({}, ...counts));
  console.log(
    `taps: ${formatLatencies(latencies)}, ${failures.length} failed\n` +
      `peak memory ${memory.toFixed(0)} MiB, disk ${gibPerHour.toFixed(2)} GiB an hour`,
  );
  for (const failure of new Set(failures)) console.log(`  ${failure}`);
  const median = percentileMs(latencies, 50);
  const points = latencies.count - failures.length;
  const overview = `/stats/overview?schoolDb=${schoolDb}`;
  const { totalScores } = await admin.data<{ totalScores: number }>('GET', overview);
  const broken = {
    [`a tap takes ${median.toFixed(0)} ms at the median`]: !(median <= bounds.tapMedianMs),
    [`${memory.toFixed(0)} MiB of memory`]: memory > bounds.memoryMiB,
    [`${gibPerHour.toFixed(2)} GiB of disk an hour`]: gibPerHour > bounds.diskGiBPerHour,
    // The points of failed calls may be there, too.
    [`${points} points were acknowledged and ${totalScores} are there`]:
      totalScores < points || totalScores > latencies.count,
  };
  return Object.keys(broken).filter((what) => broken[what]);
});

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // Counts 0 for files that PostgreSQL removes meanwhile.
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
