import type { Dataset, WorkloadName } from '../workloads.ts';

/** Where requests go. */
export interface Side {
  readonly port: number;
  /** Comes before every path. */
  readonly prefix: string;
  /** Sent as a bearer token where there is one. */
  readonly token: string | null;
}

/** One round of load, as the benchmark asks the load generator for it. */
export interface Job {
  readonly side: Side;
  readonly workload: WorkloadName;
  readonly data: Dataset;
  readonly connections: number;
  readonly seconds: number;
}

/** What a round has shown. */
export interface JobResult {
  /** Answered with 2xx before the time was up. */
  readonly answered: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of one core that generating the load took, 0 to 1. */
  readonly generatorCpu: number;
  readonly failures: number;
  readonly firstFailure: string | null;
}
