import { setTimeout as sleep } from 'node:timers/promises';
import { readStoredPassword } from './cluster.ts';
import { prepareLayout } from './data-folder.ts';
import { type Connection, connectionTo, listeningEndpoint } from './endpoint.ts';
import {
  commandLineRecord,
  type PostmasterFile,
  postmasterFilePath,
  readPostmasterFile,
  recordedCommandLine,
  removeMisleadingLock,
} from './postmaster-file.ts';
import { identifyProcess } from './process-identity.ts';
import { endOtherSessions, isServingCluster, openProductDatabase } from './product-database.ts';
import { attachServer, type ServerProcess, stopServer, waitUntilReady } from './server-process.ts';
import type { ServerSpec } from './server-spec.ts';

/** A starting server may have created its status file without filling it. */
const emptyFilePatienceMs = 1_000;

const answerPatienceMs = 3_000;

/** Finds a killed process's server; removes a lock file without a server. Call it only under the folder lock. */
export async function findLeftoverServer(spec: ServerSpec): Promise<ServerProcess | undefined> {
  const deadline = performance.now() + emptyFilePatienceMs;
  let file = await readPostmasterFile(spec.cluster);
  while (file === 'unreadable' && performance.now() < deadline) {
    await sleep(20);
    file = await readPostmasterFile(spec.cluster);
  }
  if (file === 'absent') return undefined;
  if (file !== 'unreadable') {
    const identity = identifyProcess(file.pid, spec.cluster);
    if (identity === 'postmaster' || (identity === 'unknown' && (await isAnswering(file, spec)))) {
      return attachServer(file.pid, spec.cluster, spec.binaries.pgCtl);
    }
  }
  await removeMisleadingLock(postmasterFilePath(spec.cluster), spec.cluster);
  return undefined;
}

/** Takes over a server with the same program and settings; stops any other. @throws EmbeddedPostgresError */
export async function takeOverServer(
  server: ServerProcess,
  spec: ServerSpec,
): Promise<Connection | undefined> {
  if ((await waitUntilReady(server, spec)) === 'ready') {
    const connection = await connectIfMatching(server, spec).catch(() => undefined);
    if (connection !== undefined) return connection;
  }
  await stopServer(server);
  return undefined;
}

async function connectIfMatching(server: ServerProcess, spec: ServerSpec): Promise<Connection | undefined> {
  const file = await readPostmasterFile(spec.cluster);
  if (typeof file !== 'object' || file.pid !== server.pid || file.cluster !== spec.cluster) return undefined;
  const endpoint = spec.endpointAt(file.port);
  const record = commandLineRecord(spec.binaries.postgres, spec.args(endpoint));
  if ((await recordedCommandLine(spec.cluster)) !== record) return undefined;
  const connection = connectionTo(endpoint, spec.password);
  if ((await openProductDatabase(connection, spec.cluster)) !== spec.account.version) return undefined;
  await endOtherSessions(connection);
  return connection;
}

async function isAnswering(file: PostmasterFile, spec: ServerSpec): Promise<boolean> {
  const connection = connectionTo(listeningEndpoint(file), spec.password);
  return openProductDatabase(connection, spec.cluster, answerPatienceMs).then(
    (version) => version !== undefined,
    () => false,
  );
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
