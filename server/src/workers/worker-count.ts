import { availableParallelism, totalmem } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: NodeJS.Platform;
}

export const workersMax = 64;
/** More workers must be set explicitly, because each opens connections and most machines have other work. */
const autoWorkersMax = 8;
/** Memory of a busy worker and its PostgreSQL sessions. */
const bytesPerWorker = 512 * 1_048_576;

export const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  platform: process.platform,
});

/** Returns how many processes serve. `auto` leaves half of the cores to PostgreSQL (docs/decisions/0023). */
export function workerCount(setting: number | 'auto', machine: Machine): number {
  // One on Windows, which passes connections to workers slowly and unevenly.
  if (machine.platform === 'win32') return 1;
  if (setting !== 'auto') return setting;
  const { cores, memoryBytes } = machine;
  return Math.max(
    1,
    Math.min(Math.floor(cores / 2), Math.floor(memoryBytes / bytesPerWorker), autoWorkersMax),
  );
}
