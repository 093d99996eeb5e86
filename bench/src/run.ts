import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../server/test/with-client.ts';
import { type Figures, type Measurement, measure, type Target } from './measure.ts';
import type { Options } from './options.ts';
import { Child } from './processes/child.ts';
import { findPostgresPid, pinToCores, pinTreeToCores, reserveFirstCore } from './processes/cores.ts';
import { type Product, verify, withProduct, withTemporaryFolder } from './processes/product.ts';
import { listDescendants, residentMiB, sumOf } from './processes/usage.ts';
import { describeMachine, printTable } from './report.ts';
import { assertSameAnswers } from './same-answers.ts';
import { prepareData } from './seed/prepare-data.ts';
import { type Dataset, type WorkloadName, workloadNames, workloads } from './workloads.ts';

/** Prepares data, measures, reports and verifies the ledger. The exit code is 1 if the verification fails. */
export function run(options: Options): Promise<void> {
  if (options.keptFolder !== null) return runIn(options.keptFolder, options);
  return withTemporaryFolder('bench', (folder) => runIn(folder, options));
}

async function runIn(folder: string, options: Options): Promise<void> {
  const { databaseUrl } = options;
  const settings = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  const prepared = await prepareData(folder, options, settings);
  const { school, records, seedSeconds, target } = prepared;
  const seeded = seedSeconds === null ? 'kept' : `generated in ${seedSeconds.toFixed(1)} s`;
  console.log(
    `${school.studentIds.length} students in ${school.classIds.length} classes, ` +
      `${records.toLocaleString('en')} records (${seeded})\n${describeMachine()}\n`,
  );
  const measurements = await withProduct(
    folder,
    { ...settings, WORKERS: String(options.workers) },
    (product) => measureAll(product, school, target, options),
  );
  printTable(Object.fromEntries(measurements.map(([workload, measured]) => [workload, rowOf(measured)])));
  const isVerified = await verify(folder, settings);
  if (!isVerified) process.exitCode = 1;
  if (options.jsonFile === null) return;
  const figures = {
    machine: describeMachine(),
    records,
    seedSeconds,
    options: { ...options, databaseUrl: databaseUrl !== null },
    measurements: measurements.map(([workload, measured]) => ({ workload, ...measured })),
    verified: isVerified,
  };
  await writeFile(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
}

async function measureAll(
  { pid, port, admin }: Product,
  school: Dataset,
  target: pg.PoolConfig,
  options: Options,
): Promise<(readonly [WorkloadName, Measurement])[]> {
  const floorConfig = JSON.stringify({ target, schoolId: school.schoolId });
  const { child: floorProcess, first } = await Child.start<{ port: number }>('floor/main.ts', floorConfig);
  const { child: generator } = await Child.start('load/run-job.ts');
  const postgresPid = await withClient(target, findPostgresPid);
  const serverPids = listServerPids(pid, postgresPid);
  // Waits until the server has freed the memory of its start.
  await pause(2_000);
  console.error(`  idle: ${sumOf(serverPids, residentMiB)?.toFixed(0) ?? '?'} MiB`);
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
    const measurements: (readonly [WorkloadName, Measurement])[] = [];
    for (const workload of readsFirst(options.workloads))
      measurements.push([workload, await measure(bench, workload)]);
    return measurements.sort(([a], [b]) => workloadNames.indexOf(a) - workloadNames.indexOf(b));
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

/** Puts reads before writes, because writes make the data grow. */
function readsFirst(names: readonly WorkloadName[]): WorkloadName[] {
  return names.toSorted((a, b) => Number(workloads[a].writes) - Number(workloads[b].writes));
}

function rowOf({ server, floor, ratio }: Measurement) {
  const figures = ({ requestsPerSecond, p50Ms, p99Ms, cpu }: Figures, name: string) => ({
    [`${name}/s`]: requestsPerSecond,
    [`${name} p50`]: p50Ms,
    [`${name} p99`]: p99Ms,
    [`${name} node`]: cpu?.node ?? null,
    [`${name} pg`]: cpu?.postgres ?? null,
  });
  return { ...figures(server, 'server'), RSS: server.peakMiB, ...figures(floor, 'floor'), ratio };
}
