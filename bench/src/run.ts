import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../../server/test/with-client.ts';
import { type Measured, runBenchmark } from './benchmark.ts';
import { type Figures, measure, type Target } from './measure.ts';
import type { Options } from './options.ts';
import { Child } from './processes/child.ts';
import { findPostgresPid, pinToCores, pinTreeToCores, reserveFirstCore } from './processes/cores.ts';
import { listDescendants, residentMiB, sumOf } from './processes/usage.ts';
import { assertSameAnswers } from './same-answers.ts';

type Row = Readonly<Record<string, number>>;

/** Measures the workloads and prints a table. */
export function run(options: Options): Promise<void> {
  const { records, keptFolder, databaseUrl, workers } = options;
  const settings = {
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    WORKERS: String(workers),
  };
  return runBenchmark({ name: 'bench', records, keptFolder, settings }, async (measured) => {
    printTable(await measureAll(measured, options));
    return [];
  });
}

async function measureAll(
  { pid, port, admin, school, target }: Measured,
  options: Options,
): Promise<Record<string, Row>> {
  const floorConfig = JSON.stringify({ target, schoolId: school.schoolId });
  const { child: floorProcess, first } = await Child.start<{ port: number }>('floor/main.ts', floorConfig);
  const { child: generator } = await Child.start('load/run-job.ts');
  const postgresPid = await withClient(target, findPostgresPid);
  const serverPids = listServerPids(pid, postgresPid);
  // Waits until the server has freed the memory of its start.
  await pause(2_000);
  console.error(`  idle: ${sumOf(serverPids, residentMiB).toFixed(0)} MiB`);
  const cores = options.pinned ? reserveFirstCore() : null;
  try {
    if (cores) {
      if (postgresPid !== null) pinTreeToCores(postgresPid, cores.others);
      for (const each of [...serverPids, floorProcess.pid]) pinToCores(each, cores.measured);
      pinToCores(generator.pid, cores.others);
    }
    const { token } = await admin.issue(school.schoolId);
    const server: Target = {
      name: 'server',
      pids: serverPids,
      endpoint: { port, prefix: '/api/v1', tokens: [token] },
    };
    const floor: Target = {
      name: 'floor',
      pids: [floorProcess.pid],
      endpoint: { port: first.port, prefix: '', tokens: [] },
    };
    await assertSameAnswers(server.endpoint, floor.endpoint, school);
    const bench = { generator, server, floor, postgresPid, data: school, options };
    const rows: Record<string, Row> = {};
    for (const workload of options.workloads) rows[workload] = rowOf(await measure(bench, workload));
    return rows;
  } finally {
    if (cores && postgresPid !== null) pinTreeToCores(postgresPid, cores.all);
    await generator.stop();
    await floorProcess.stop();
  }
}

function listServerPids(productPid: number, postgresPid: number | null): number[] {
  const database = postgresPid === null ? [] : [postgresPid, ...listDescendants(postgresPid)];
  return [productPid, ...listDescendants(productPid)].filter((pid) => !database.includes(pid));
}

function rowOf({ server, floor }: Awaited<ReturnType<typeof measure>>): Row {
  const figures = (side: Figures, name: string) => ({
    [`${name}/s`]: side.requestsPerSecond,
    [`${name} p50`]: side.p50Ms,
    [`${name} p99`]: side.p99Ms,
    [`${name} node`]: side.nodeMicros,
    [`${name} pg`]: side.postgresMicros,
  });
  const ratio = server.requestsPerSecond / floor.requestsPerSecond;
  return { ...figures(server, 'server'), RSS: server.peakMiB, ...figures(floor, 'floor'), ratio };
}

/** Prints a table with four digits of each figure. An unknown figure, NaN, stays empty. */
function printTable(rows: Readonly<Record<string, Row>>): void {
  const printed = (row: Row) => {
    const known = Object.entries(row).filter(([, figure]) => !Number.isNaN(figure));
    return Object.fromEntries(known.map(([name, figure]) => [name, Number(figure.toPrecision(4))]));
  };
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, printed(row)])));
}
