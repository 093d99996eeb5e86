import type { Endpoint, Job, JobResult } from './load/run-job.ts';
import type { Options } from './options.ts';
import type { Child } from './processes/child.ts';
import { cpuSeconds, cpuSecondsOfTree, peakMiB, resetPeakMemory, sumOf } from './processes/usage.ts';
import type { Dataset, WorkloadName } from './workloads.ts';

export interface Target {
  readonly name: 'server' | 'floor';
  readonly endpoint: Endpoint;
  readonly pids: readonly number[];
}

export interface Figures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The highest peak of memory in all rounds; null if the system does not report it. */
  readonly peakMiB: number | null;
  /** Processor time, which other processes on the machine barely affect. */
  readonly cpu: CpuPerRequest | null;
  readonly rounds: readonly JobResult[];
}

/** In microseconds. */
interface CpuPerRequest {
  readonly node: number;
  readonly postgres: number;
}

export interface Measurement {
  readonly server: Figures;
  readonly floor: Figures;
  readonly ratio: number;
}

interface Bench {
  readonly generator: Child;
  readonly server: Target;
  readonly floor: Target;
  readonly postgresPid: number | null;
  readonly data: Dataset;
  readonly options: Options;
}

const warmUpSeconds = 3;
const connections = 32;

/** Measures one workload on the server and the floor in turn. @throws Error at any answer except 2xx */
export async function measure(bench: Bench, workload: WorkloadName): Promise<Measurement> {
  const { server, floor, options } = bench;
  for (const target of [server, floor]) await runRound(bench, workload, target, warmUpSeconds);
  const rounds = { server: [] as RoundResult[], floor: [] as RoundResult[] };
  for (let n = 0; n < options.rounds; n++) {
    for (const target of n % 2 === 0 ? [server, floor] : [floor, server]) {
      const shown = await runRound(bench, workload, target, options.seconds);
      rounds[target.name].push(shown);
      console.error(`  ${workload} ${target.name} ${Math.round(shown.result.requestsPerSecond)}/s`);
    }
  }
  const figures = { server: summarise(rounds.server), floor: summarise(rounds.floor) };
  return { ...figures, ratio: figures.server.requestsPerSecond / figures.floor.requestsPerSecond };
}

interface RoundResult {
  readonly result: JobResult;
  readonly peak: number | null;
  readonly cpu: CpuPerRequest | null;
}

function cpuOf({ postgresPid }: Bench, target: Target): CpuPerRequest | null {
  const node = sumOf(target.pids, cpuSeconds);
  const postgres = postgresPid === null ? null : cpuSecondsOfTree(postgresPid);
  return node === null || postgres === null ? null : { node, postgres };
}

async function runRound(
  bench: Bench,
  workload: WorkloadName,
  target: Target,
  seconds: number,
): Promise<RoundResult> {
  const { endpoint, pids } = target;
  const job: Job = { endpoint, workloads: [workload], data: bench.data, connections, seconds };
  pids.forEach(resetPeakMemory);
  const before = cpuOf(bench, target);
  const result = await bench.generator.ask<JobResult>(job);
  if (result.failures > 0) {
    throw new Error(
      `${workload}: ${result.failures} requests to the ${target.name} failed, the first with ${result.firstFailure}`,
    );
  }
  const after = cpuOf(bench, target);
  const perRequest = (seconds: number) => (seconds * 1e6) / result.answered;
  const cpu =
    before && after
      ? {
          node: perRequest(after.node - before.node),
          postgres: perRequest(after.postgres - before.postgres),
        }
      : null;
  return { result, peak: sumOf(pids, peakMiB), cpu };
}

function summarise(rounds: readonly RoundResult[]): Figures {
  const medianOf = (pick: (result: JobResult) => number) => median(rounds.map(({ result }) => pick(result)));
  const peaks = rounds.map(({ peak }) => peak);
  const cpus = rounds.flatMap(({ cpu }) => (cpu ? [cpu] : []));
  return {
    requestsPerSecond: medianOf((result) => result.requestsPerSecond),
    p50Ms: medianOf((result) => result.p50Ms),
    p99Ms: medianOf((result) => result.p99Ms),
    peakMiB: peaks.includes(null) ? null : Math.max(...(peaks as number[])),
    cpu:
      cpus.length < rounds.length
        ? null
        : { node: median(cpus.map((cpu) => cpu.node)), postgres: median(cpus.map((cpu) => cpu.postgres)) },
    rounds: rounds.map(({ result }) => result),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
