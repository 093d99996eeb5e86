import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';
import { thisMachine, workerCount } from '../workers/worker-count.ts';
import type { PrepareStart } from './serve-alone.ts';
import { type StopRequest, StopRequestedError } from './stop-request.ts';

/** Serves until a stop (docs/contract.md, Stopping), alone, as parent or as worker; with `prepare` always alone. */
export async function serve(config: Config, stop: StopRequest, prepare?: PrepareStart): Promise<number> {
  stop.setTimeLimit((config.drainSeconds + config.stopSeconds) * 1_000);
  try {
    if (cluster.isWorker) return await (await import('./serve-as-worker.ts')).serveAsWorker(config, stop);
    const count = prepare ? 1 : workerCount(config.workers, thisMachine());
    if (count > 1)
      return await (await import('./serve-with-workers.ts')).serveWithWorkers(config, count, stop);
    if (!prepare && config.workers !== 'auto' && config.workers > 1)
      console.error(
        'WORKERS: one process serves, because this system passes connections to workers too slowly',
      );
    return await (await import('./serve-alone.ts')).serveAlone(config, stop, prepare);
  } catch (error) {
    if (error instanceof StopRequestedError) return 0;
    throw error;
  }
}
