import type { Job, JobResult, Side } from './load/job.ts';
import type { Options } from './options.ts';
import type { Child } from './processes/child.ts';
import { cpuSeconds, cpuSecondsWithin, peakMiB, resetPeak, sumOf } from './processes/usage.ts';
import type { Dataset, WorkloadName } from './workloads.ts';

export interface Target extends Side {
  readonly name: 'server' | 'floor';
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
export interface CpuPerRequest {
  readonly node: number;
  readonly postgres: number;
}

export interface Measurement {
  readonly workload: WorkloadName;
  readonly server: Figures;
  readonly floor: Figures;
  readonly ratio: number;
}

export interface Bench {
  readonly generator: Child;
  readonly server: Target;
  readonly floor: Target;
  readonly postgresPid: number | null;
  readonly data: Dataset;
  readonly options: Options;
  readonly report: (line: string) => void;
}

const warmUpSeconds = 3;

/** Measures one workload on the server and the floor in turn. @throws Error at any answer except 2xx */
export async function measure(bench: Bench, workload: WorkloadName): Promise<Measurement> {
  const { server, floor, options, report } = bench;
  for (const target of [server, floor]) await round(bench, workload, target, warmUpSeconds);
  const taken = { server: [] as Taken[], floor: [] as Taken[] };
  for (let n = 0; n < options.rounds; n++) {
    for (const target of n % 2 === 0 ? [server, floor] : [floor, server]) {
      const shown = await round(bench, workload, target, options.seconds);
      taken[target.name].push(shown);
      report(`${workload} ${target.name} ${Math.round(shown.result.requestsPerSecond)}/s`);
    }
  }
  const figures = { server: summarise(taken.server), floor: summarise(taken.floor) };
  return {
    workload,
    ...figures,
    ratio: figures.server.requestsPerSecond / figures.floor.requestsPerSecond,
  };
}

interface Taken {
  readonly result: JobResult;
  readonly peak: number | null;
  readonly cpu: CpuPerRequest | null;
}

function cpuOf({ postgresPid }: Bench, target: Target): { node: number; postgres: number } | null {
  const node = sumOf(target.pids, cpuSeconds);
  const postgres = postgresPid === null ? null : cpuSecondsWithin(postgresPid);
  return node === null || postgres === null ? null : { node, postgres };
}

async function round(bench: Bench, workload: WorkloadName, target: Target, seconds: number): Promise<Taken> {
  const { port, prefix, token } = target;
  const job: Job = {
    side: { port, prefix, token },
    workload,
    data: bench.data,
    connections: bench.options.connections,
    seconds,
  };
  target.pids.forEach(resetPeak);
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
  return { result, peak: sumOf(target.pids, peakMiB), cpu };
}

function summarise(taken: readonly Taken[]): Figures {
  const middle = (pick: (result: JobResult) => number) => median(taken.map(({ result }) => pick(result)));
  const peaks = taken.map(({ peak }) => peak);
  const cpus = taken.flatMap(({ cpu }) => (cpu ? [cpu] : []));
  return {
    requestsPerSecond: middle((result) => result.requestsPerSecond),
    p50Ms: middle((result) => result.p50Ms),
    p99Ms: middle((result) => result.p99Ms),
    peakMiB: peaks.includes(null) ? null : Math.max(...(peaks as number[])),
    cpu:
      cpus.length < taken.length
        ? null
        : { node: median(cpus.map((cpu) => cpu.node)), postgres: median(cpus.map((cpu) => cpu.postgres)) },
    rounds: taken.map(({ result }) => result),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
