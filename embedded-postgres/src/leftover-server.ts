import { setTimeout as sleep } from 'node:timers/promises';
import { readStoredPassword } from './cluster.ts';
import { prepareLayout } from './data-folder.ts';
import { type Connection, connectionTo, listeningEndpoint } from './endpoint.ts';
import { postmasterFilePath, readPostmasterFile, removeMisleadingLock } from './postmaster-file.ts';
import { identifyProcess } from './process-identity.ts';
import { firstDatabase, isServingCluster } from './product-database.ts';
import { attachServer, stopServer } from './server-process.ts';
import type { ServerSpec } from './server-spec.ts';

/** A starting server may have created its status file without filling it. */
const emptyFilePatienceMs = 1_000;

/**
 * Stops a killed process's server; removes a lock file without a server. Call it only under the folder lock.
 * @throws EmbeddedPostgresError if the server does not stop
 */
export async function stopLeftoverServer(spec: ServerSpec): Promise<void> {
  const deadline = performance.now() + emptyFilePatienceMs;
  let file = await readPostmasterFile(spec.cluster);
  while (file === 'unreadable' && performance.now() < deadline) {
    await sleep(20);
    file = await readPostmasterFile(spec.cluster);
  }
  if (file === 'absent') return;
  if (file !== 'unreadable') {
    const identity = identifyProcess(file.pid, spec.cluster);
    const connection = { ...connectionTo(listeningEndpoint(file), spec.password), database: firstDatabase };
    if (
      identity === 'postmaster' ||
      (identity === 'unknown' && (await isServingCluster(connection, spec.cluster)))
    ) {
      await stopServer(attachServer(file.pid, spec.cluster, spec.binaries.pgCtl));
    }
  }
  await removeMisleadingLock(postmasterFilePath(spec.cluster), spec.cluster);
}

/** Returns how to connect to another process's server; undefined when none accepts this user. */
export async function findRunningServer(folder: string): Promise<Connection | undefined> {
  const layout = await prepareLayout(folder);
  const file = await readPostmasterFile(layout.cluster);
  if (typeof file !== 'object' || file.status !== 'ready') return undefined;
  const password = await readStoredPassword(layout.passwordFile);
  const connection = connectionTo(listeningEndpoint(file), password);
  return (await isServingCluster(connection, layout.cluster)) ? connection : undefined;
}
