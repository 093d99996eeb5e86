import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Measurement, measure, type Target } from './measure.ts';
import type { Options } from './options.ts';
import { Child } from './processes/child.ts';
import { findPostgresPid, pinToCores, pinTreeToCores, reserveFirstCore } from './processes/cores.ts';
import { issueCredential, type Settings, startProduct, verifyFolder } from './processes/product.ts';
import { listDescendants, residentMiB, sumOf } from './processes/usage.ts';
import { describeMachine, formatTable } from './report.ts';
import { assertSameAnswers } from './same-answers.ts';
import { prepareData } from './seed/prepare-data.ts';
import { type WorkloadName, workloads } from './workloads.ts';

const floorModule = fileURLToPath(new URL('floor/main.ts', import.meta.url));
const generatorModule = fileURLToPath(new URL('load/main.ts', import.meta.url));

const progress = (line: string) => console.error(`  ${line}`);

/** Prepares data, measures, reports and verifies the ledger. @returns 1 if the verification fails */
export async function run(options: Options, signal: AbortSignal): Promise<number> {
  const folder = options.keptFolder ?? (await mkdtemp(join(tmpdir(), 'classledger-bench-')));
  const { databaseUrl } = options;
  const settings: Settings = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  try {
    const prepared = await prepareData(
      folder,
      options.records,
      (line) => {
        signal.throwIfAborted();
        progress(line);
      },
      settings,
    );
    const { school, records, seedSeconds } = prepared;
    const seeded = seedSeconds === null ? 'kept' : `generated in ${seedSeconds.toFixed(1)} s`;
    console.log(
      `${school.studentIds.length} students in ${school.classIds.length} classes, ` +
        `${records.toLocaleString('en')} records (${seeded})\n${describeMachine()}\n`,
    );
    const measurements = await measureAll(folder, settings, prepared, options, signal);
    console.log(`${formatTable(measurements)}\n`);
    const { ok, output } = await verifyFolder(folder, settings);
    console.log(output);
    if (options.jsonFile !== null) {
      const figures = {
        machine: describeMachine(),
        records,
        seedSeconds,
        options: { ...options, databaseUrl: databaseUrl !== null },
        measurements,
        verified: ok,
        output,
      };
      await writeFile(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
    }
    return ok ? 0 : 1;
  } finally {
    if (options.keptFolder === null) await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(
  folder: string,
  settings: Settings,
  { school, target }: Awaited<ReturnType<typeof prepareData>>,
  options: Options,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const product = await startProduct(folder, await profiling(options, 'server'), {
      ...settings,
      WORKERS: String(options.workers),
    });
    stops.push(() => product.stop());
    const { child: floorProcess, first } = await Child.start<{ port: number }>(
      floorModule,
      [JSON.stringify({ target, schoolId: school.schoolId })],
      { nodeOptions: await profiling(options, 'floor'), signal },
    );
    stops.push(() => floorProcess.stop());
    const { child: generator } = await Child.start(generatorModule, [], { signal });
    stops.push(() => generator.stop());
    const postgresPid = await findPostgres(target);
    const serverPids = listServerPids(product.pid, postgresPid);
    // Waits until the server has freed the memory of its start.
    await pause(2_000);
    progress(`idle: ${sumOf(serverPids, residentMiB)?.toFixed(0) ?? '?'} MiB`);
    if (options.pinned) {
      const { measured, others, all } = reserveFirstCore();
      if (postgresPid !== null) {
        pinTreeToCores(postgresPid, others);
        stops.push(async () => pinTreeToCores(postgresPid, all));
      }
      for (const pid of [...serverPids, floorProcess.pid]) pinToCores(pid, measured);
      pinToCores(generator.pid, others);
    }

    const token = await issueCredential(product.port, school.schoolId);
    const server: Target = { name: 'server', pids: serverPids, port: product.port, prefix: '/api/v1', token };
    const floor: Target = {
      name: 'floor',
      pids: [floorProcess.pid],
      port: first.port,
      prefix: '',
      token: null,
    };
    await assertSameAnswers(server, floor, school);
    const bench = { generator, server, floor, postgresPid, data: school, options, report: progress };
    const measured = new Map<WorkloadName, Measurement>();
    for (const workload of readsFirst(options.workloads))
      measured.set(workload, await Promise.race([measure(bench, workload), product.lost]));
    return options.workloads.map((workload) => measured.get(workload) as Measurement);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

function listServerPids(productPid: number, postgresPid: number | null): number[] {
  const database = postgresPid === null ? [] : [postgresPid, ...listDescendants(postgresPid)];
  return [productPid, ...listDescendants(productPid)].filter((pid) => !database.includes(pid));
}

async function findPostgres(target: pg.PoolConfig): Promise<number | null> {
  const client = new pg.Client(target);
  client.on('error', () => {});
  await client.connect();
  try {
    return await findPostgresPid(client);
  } finally {
    await client.end();
  }
}

/** Puts reads before writes, because writes make the data grow. */
function readsFirst(names: readonly WorkloadName[]): WorkloadName[] {
  return [
    ...names.filter((name) => !workloads[name].writes),
    ...names.filter((name) => workloads[name].writes),
  ];
}

async function profiling({ profileFolder }: Options, name: string): Promise<string[]> {
  if (profileFolder === null) return [];
  await mkdir(profileFolder, { recursive: true });
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${profileFolder}`,
    `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`,
  ];
}
