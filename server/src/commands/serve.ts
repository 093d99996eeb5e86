import cluster from 'node:cluster';
import type { Config } from '../config.ts';
import { thisMachine, workerCount } from '../workers/worker-count.ts';
import type { Prepare } from './serve-alone.ts';
import { StopAsked, type StopRequest } from './stop-request.ts';

/**
 * Serves until it is asked to stop, then finishes requests in flight, writes the audit log out and stops the
 * embedded database. What has not ended in time is cut off. Asked during the start, it stops there.
 *
 * Where several processes serve, this one is their parent, or one of them. Each way loads what it needs alone.
 *
 * @param prepare works in this process, which then serves by itself
 * @returns the exit code
 */
export async function serve(config: Config, stop: StopRequest, prepare?: Prepare): Promise<number> {
  stop.allow((config.drainSeconds + config.stopSeconds) * 1_000);
  try {
    if (cluster.isWorker) return await (await import('./serve-as-worker.ts')).serveAsWorker(config, stop);
    const count = prepare ? 1 : workerCount(config.workers, thisMachine());
    if (count > 1)
      return await (await import('./serve-with-workers.ts')).serveWithWorkers(config, count, stop);
    if (!prepare && config.workers !== 'auto' && config.workers > 1)
      console.error('WORKERS: one process serves, since this system hands connections on too slowly');
    return await (await import('./serve-alone.ts')).serveAlone(config, stop, prepare);
  } catch (error) {
    if (error instanceof StopAsked) return 0;
    throw error;
  }
}
