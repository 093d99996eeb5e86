import { setTimeout as sleep } from 'node:timers/promises';
import { readPostmasterFile } from './postmaster-file.ts';
import { logEnd } from './server-log.ts';
import type { ServerProcess } from './server-process.ts';
import type { WantedServer } from './wanted-server.ts';

/**
 * Where the wait for a server led to: it accepts connections, its process is gone, it is shutting down,
 * nothing has happened for too long, or the wait was given up.
 */
export type Readiness = 'ready' | 'ended' | 'stopping' | 'stuck' | 'given up';

const pollIntervalMs = 10;

/**
 * How long a server may stay silent. Recovery after a crash can take long, and breaking it off would only
 * make it start over; it reports its progress in the log every ten seconds.
 */
const patienceMs = 60_000;

/**
 * Waits until a server accepts connections.
 *
 * The server's own status file is watched rather than connections tried: it is cheaper, it leaves no
 * refusals in the log, and it cannot be answered by a different server.
 */
export async function waitUntilReady(
  server: ServerProcess,
  { cluster, logFile, stop }: Pick<WantedServer, 'cluster' | 'logFile' | 'stop'>,
): Promise<Readiness> {
  let lastSign = '';
  let deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (!server.isRunning()) return 'ended';
    if (stop.aborted) return 'given up';
    const file = await readPostmasterFile(cluster);
    const status = typeof file === 'object' && file.pid === server.pid ? file.status : undefined;
    if (status === 'ready' || status === 'standby') return 'ready';
    if (status === 'stopping') return 'stopping';
    const sign = `${status} ${await logEnd(logFile)}`;
    if (sign !== lastSign) deadline = performance.now() + patienceMs;
    lastSign = sign;
    await sleep(pollIntervalMs);
  }
  return 'stuck';
}
