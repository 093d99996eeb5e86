import { availableParallelism, totalmem } from 'node:os';

/** What decides how many processes a machine feeds. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: NodeJS.Platform;
}

export const workersMax = 64;
/** More are asked for by their number: each has its connections to the database, and most machines other work. */
const autoMax = 8;
/** What a busy worker may take, with the sessions of PostgreSQL that work for it. */
const memoryEach = 512 * 1_048_576;

export const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  platform: process.platform,
});

/**
 * How many processes serve. `auto` leaves the other half of the processors to PostgreSQL and the system: a request
 * costs the database about as much as the server (docs/decisions/0023). Windows hands connections to workers unevenly
 * and slowly, so one process serves there.
 */
export function workerCount(setting: number | 'auto', machine: Machine): number {
  if (machine.platform === 'win32') return 1;
  if (setting !== 'auto') return setting;
  const { cores, memoryBytes } = machine;
  return Math.max(1, Math.min(Math.floor(cores / 2), Math.floor(memoryBytes / memoryEach), autoMax));
}
