import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Connection, connectionTo, type Endpoint, socketLockFile } from './endpoint.ts';
import { stopLeftoverServer } from './leftover-server.ts';
import { removeMisleadingLock } from './postmaster-file.ts';
import { createDatabaseIfMissing } from './product-database.ts';
import { findEndReason, logEnd, logSince } from './server-log.ts';
import { type ServerProcess, spawnServer, stopServer, waitUntilReady } from './server-process.ts';
import type { ServerSpec } from './server-spec.ts';

export interface ObtainedServer {
  readonly process: ServerProcess;
  readonly connection: Connection;
}

const retryBudgetMs = 30_000;
const retryPauseMs = 100;

/** Temporary failures: a killed process's server is starting or stopping, or another program took the port. */
const temporaryReasons =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory|could not create any TCP/;

/** Starts a server in place of a leftover one. Call it only under the folder lock. @throws EmbeddedPostgresError */
export async function obtainServer(spec: ServerSpec): Promise<ObtainedServer> {
  const deadline = performance.now() + retryBudgetMs;
  for (;;) {
    await stopLeftoverServer(spec);
    spec.stop.throwIfAborted();
    const endpoint = await spec.newEndpoint();
    const launched = await launch(spec, endpoint);
    if (!('reason' in launched)) {
      return { process: launched, connection: connectionTo(endpoint, spec.password) };
    }
    spec.stop.throwIfAborted();
    if (!temporaryReasons.test(launched.reason) || performance.now() > deadline) {
      throw new EmbeddedPostgresError(`PostgreSQL in ${spec.cluster} does not start: ${launched.reason}`);
    }
    await sleep(retryPauseMs);
  }
}

async function launch(
  spec: ServerSpec,
  endpoint: Endpoint,
): Promise<ServerProcess | { readonly reason: string }> {
  const socketLock = socketLockFile(endpoint);
  if (socketLock !== undefined) await removeMisleadingLock(socketLock, spec.cluster);
  const position = await logEnd(spec.logFile);
  const plan = spec.account.launch(spec.binaries.postgres, spec.args(endpoint));
  const server = await spawnServer(plan, spec.logFile, spec.binaries.pgCtl);
  const failure = async () => ({ reason: findEndReason(await logSince(spec.logFile, position), server.pid) });
  try {
    const readiness = await waitUntilReady(server, spec);
    if (readiness === 'ready') {
      await createDatabaseIfMissing(connectionTo(endpoint, spec.password));
      return server;
    }
    await stopServer(server);
    const { reason } = await failure();
    if (readiness !== 'stuck') return { reason };
    return { reason: `it did not become ready in time; last message: ${reason}` };
  } catch (error) {
    const endedByItself = !server.isRunning();
    await stopServer(server);
    if (endedByItself) return failure();
    throw error;
  }
}
