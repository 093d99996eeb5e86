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

/** Of one round, or the medians of all rounds with the highest peak. NaN where the system does not report a figure. */
export interface Figures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peakMiB: number;
  /** Processor time of a request, which other processes on the machine barely affect. */
  readonly nodeMicros: number;
  readonly postgresMicros: number;
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
export async function measure(
  bench: Bench,
  workload: WorkloadName,
): Promise<Record<Target['name'], Figures>> {
  const { server, floor, options } = bench;
  for (const target of [server, floor]) await runRound(bench, workload, target, warmUpSeconds);
  const rounds = { server: [] as Figures[], floor: [] as Figures[] };
  for (let n = 0; n < options.rounds; n++) {
    for (const target of n % 2 === 0 ? [server, floor] : [floor, server]) {
      const figures = await runRound(bench, workload, target, options.seconds);
      rounds[target.name].push(figures);
      console.error(`  ${workload} ${target.name} ${Math.round(figures.requestsPerSecond)}/s`);
    }
  }
  return { server: summarise(rounds.server), floor: summarise(rounds.floor) };
}

async function runRound(
  { generator, postgresPid, data }: Bench,
  workload: WorkloadName,
  { name, endpoint, pids }: Target,
  seconds: number,
): Promise<Figures> {
  const readCpu = () => ({
    node: sumOf(pids, cpuSeconds),
    postgres: postgresPid === null ? Number.NaN : cpuSecondsOfTree(postgresPid),
  });
  const job: Job = { endpoint, workloads: [workload], data, connections, seconds };
  pids.forEach(resetPeakMemory);
  const before = readCpu();
  const { answered, failures, firstFailure, ...speed } = await generator.ask<JobResult>(job);
  if (failures > 0) {
    throw new Error(
      `${workload}: ${failures} requests to the ${name} failed, the first with ${firstFailure}`,
    );
  }
  const after = readCpu();
  return {
    ...speed,
    peakMiB: sumOf(pids, peakMiB),
    nodeMicros: ((after.node - before.node) * 1e6) / answered,
    postgresMicros: ((after.postgres - before.postgres) * 1e6) / answered,
  };
}

function summarise(rounds: readonly Figures[]): Figures {
  const medianOf = (name: keyof Figures) => median(rounds.map((round) => round[name]));
  return {
    requestsPerSecond: medianOf('requestsPerSecond'),
    p50Ms: medianOf('p50Ms'),
    p99Ms: medianOf('p99Ms'),
    peakMiB: Math.max(...rounds.map((round) => round.peakMiB)),
    nodeMicros: medianOf('nodeMicros'),
    postgresMicros: medianOf('postgresMicros'),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
