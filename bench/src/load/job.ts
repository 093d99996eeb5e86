import type { Dataset, WorkloadName } from '../workloads.ts';

export interface Endpoint {
  readonly port: number;
  readonly prefix: string;
  readonly token: string | null;
}

export interface Job {
  readonly endpoint: Endpoint;
  readonly workload: WorkloadName;
  readonly data: Dataset;
  readonly connections: number;
  readonly seconds: number;
}

export interface JobResult {
  readonly answered: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of one core that the load generator used, 0 to 1. */
  readonly generatorCpu: number;
  readonly failures: number;
  readonly firstFailure: string | null;
}
