import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connectionTo, type Endpoint } from './endpoint.ts';
import { endOtherSessions, enterServer } from './entry.ts';
import {
  commandLineRecord,
  type PostmasterFile,
  postmasterFilePath,
  readPostmasterFile,
  recordedCommandLine,
  removeMisleadingLock,
} from './postmaster-file.ts';
import { identify } from './process-identity.ts';
import { attachServer, type ServerProcess, stopServer, waitUntilReady } from './server-process.ts';
import type { WantedServer } from './wanted-server.ts';

/** A starting server may have created its status file without filling it. */
const emptyFilePatienceMs = 1_000;

const answerPatienceMs = 3_000;

type Sought = Pick<WantedServer, 'cluster' | 'binaries' | 'password'>;

/**
 * Finds a server that a killed process left on the cluster. Removes a misleading lock file, which would keep
 * PostgreSQL from starting. Call it only under the folder lock, which keeps others from starting a server.
 */
export async function findLeftover(wanted: Sought): Promise<ServerProcess | undefined> {
  const deadline = performance.now() + emptyFilePatienceMs;
  let file = await readPostmasterFile(wanted.cluster);
  while (file === 'unreadable' && performance.now() < deadline) {
    await sleep(20);
    file = await readPostmasterFile(wanted.cluster);
  }
  if (file === 'absent') return undefined;
  if (file !== 'unreadable') {
    const identity = identify(file.pid, wanted.cluster);
    if (identity === 'postmaster' || (identity === 'unknown' && (await answers(file, wanted)))) {
      return attachServer(file.pid, wanted.cluster, wanted.binaries.pgCtl);
    }
  }
  await removeMisleadingLock(postmasterFilePath(wanted.cluster), wanted.cluster);
  return undefined;
}

/**
 * Takes over a running server with the same program, version, settings and cluster. Stops any other server, and also
 * this one when the start is aborted.
 *
 * @returns how to connect; undefined when the server is gone
 * @throws EmbeddedPostgresError when an unusable server does not stop
 */
export async function takeOver(server: ServerProcess, wanted: WantedServer): Promise<Connection | undefined> {
  if ((await waitUntilReady(server, wanted)) === 'ready') {
    const connection = await connectIfWanted(server, wanted).catch(() => undefined);
    if (connection !== undefined) return connection;
  }
  await stopServer(server);
  return undefined;
}

async function connectIfWanted(server: ServerProcess, wanted: WantedServer): Promise<Connection | undefined> {
  const file = await readPostmasterFile(wanted.cluster);
  if (typeof file !== 'object' || file.pid !== server.pid || file.cluster !== wanted.cluster)
    return undefined;
  const endpoint = wanted.endpointAt(file.port);
  const record = commandLineRecord(wanted.binaries.postgres, wanted.args(endpoint));
  if ((await recordedCommandLine(wanted.cluster)) !== record) return undefined;
  const connection = connectionTo(endpoint, wanted.password);
  if ((await enterServer(connection, wanted.cluster)) !== wanted.account.version) return undefined;
  await endOtherSessions(connection);
  return connection;
}

async function answers(file: PostmasterFile, wanted: Sought): Promise<boolean> {
  const endpoint: Endpoint =
    file.socketDirectory === ''
      ? { kind: 'tcp', port: file.port }
      : { kind: 'socket', directory: file.socketDirectory, port: file.port };
  const connection = connectionTo(endpoint, wanted.password);
  return enterServer(connection, wanted.cluster, answerPatienceMs).then(
    (version) => version !== undefined,
    () => false,
  );
}
