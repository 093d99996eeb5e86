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

/** A server that is starting may have created its status file without having filled it. */
const emptyFilePatienceMs = 1_000;

const answerPatienceMs = 3_000;

/** What one has to know of a server to find it. */
type Sought = Pick<WantedServer, 'cluster' | 'binaries' | 'password'>;

/**
 * Looks for a server that a killed process left running on the cluster. Clears a lock file out of the way
 * that names no such server but would keep PostgreSQL from starting.
 *
 * May only be called by the owner of the folder lock, so that no one else is starting a server.
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
 * Takes a left server over if it is just what we would start: same program and version, same settings, same
 * cluster, and one gets in. Any other - and one that is shutting down - is stopped, and any when the
 * start is given up meanwhile.
 *
 * @returns how to connect, or undefined when the server is gone.
 * @throws EmbeddedPostgresError when a server that cannot be used does not stop.
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

/** Where the platform does not tell what a process is, its server is recognised by talking to it. */
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
