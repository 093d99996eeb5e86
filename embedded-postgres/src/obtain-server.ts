import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Connection, connectionTo, type Endpoint, socketLockFile } from './endpoint.ts';
import { enterServer } from './entry.ts';
import { findLeftover, takeOver } from './leftover.ts';
import { removeMisleadingLock } from './postmaster-file.ts';
import { logEnd, logSince, type Reason, reasonIn } from './server-log.ts';
import { type ServerProcess, spawnServer, stopServer, waitUntilReady } from './server-process.ts';
import type { WantedServer } from './wanted-server.ts';

export interface ObtainedServer {
  readonly process: ServerProcess;
  readonly connection: Connection;
  readonly adopted: boolean;
}

/** How long to retry a start after temporary failures. */
const retryBudgetMs = 30_000;
const retryPauseMs = 100;
/** Unexplained exits, such as kills, tolerated before giving up. */
const unexplainedMax = 3;

/** Temporary failures: a killed process's server is starting or stopping, or another program took the port. */
const passingReasons =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory|could not create any TCP/;

/**
 * Takes over a running server that fits, or starts a new one. Call it only under the folder lock. A killed process may
 * have been starting a server: PostgreSQL lets only one continue, and a retry finds it.
 *
 * @throws EmbeddedPostgresError; no server started here is left. Or the reason of `wanted.stop`; no server is left.
 */
export async function obtainServer(wanted: WantedServer): Promise<ObtainedServer> {
  const deadline = performance.now() + retryBudgetMs;
  let unexplained = 0;
  for (;;) {
    const leftover = await findLeftover(wanted);
    if (leftover !== undefined) {
      const connection = await takeOver(leftover, wanted);
      if (connection !== undefined) return { process: leftover, connection, adopted: true };
      continue;
    }
    wanted.stop.throwIfAborted();
    const endpoint = await wanted.newEndpoint();
    const launched = await launch(wanted, endpoint);
    if (!('reason' in launched)) {
      return { process: launched, connection: connectionTo(endpoint, wanted.password), adopted: false };
    }
    wanted.stop.throwIfAborted();
    const { text, isStated } = launched.reason;
    if (!isStated) unexplained += 1;
    const mayPass = isStated ? passingReasons.test(text) : unexplained < unexplainedMax;
    if (!mayPass || performance.now() > deadline) {
      throw new EmbeddedPostgresError(`PostgreSQL in ${wanted.cluster} does not start: ${text}`);
    }
    await sleep(retryPauseMs);
  }
}

async function launch(
  wanted: WantedServer,
  endpoint: Endpoint,
): Promise<ServerProcess | { readonly reason: Reason }> {
  const socketLock = socketLockFile(endpoint);
  if (socketLock !== undefined) await removeMisleadingLock(socketLock, wanted.cluster);
  const position = await logEnd(wanted.logFile);
  const plan = wanted.account.launch(wanted.binaries.postgres, wanted.args(endpoint));
  const server = await spawnServer(plan, wanted.logFile, wanted.binaries.pgCtl);
  const failure = async () => ({ reason: reasonIn(await logSince(wanted.logFile, position), server.pid) });
  try {
    const readiness = await waitUntilReady(server, wanted);
    if (readiness === 'ready') {
      await enterServer(connectionTo(endpoint, wanted.password), wanted.cluster);
      return server;
    }
    await stopServer(server);
    const { reason } = await failure();
    if (readiness !== 'stuck') return { reason };
    return {
      reason: { text: `it did not become ready in time; last message: ${reason.text}`, isStated: true },
    };
  } catch (error) {
    const endedByItself = !server.isRunning();
    await stopServer(server);
    if (endedByItself) return failure();
    throw error;
  }
}
