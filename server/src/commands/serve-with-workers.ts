import pino from 'pino';
import type { Config } from '../config/config.ts';
import { connectionsPerProcess } from '../database/pool-sizes.ts';
import { ConfigError } from '../errors/config-error.ts';
import { logOptions } from '../telemetry/log-stream.ts';
import { thisMachine } from '../workers/worker-count.ts';
import { WorkerFailedError } from '../workers/worker-process.ts';
import { WorkerSupervisor } from '../workers/worker-supervisor.ts';
import { ensureBuilt } from './ensure-built.ts';
import { type DatabaseServer, findDatabaseServer } from './find-database-server.ts';
import { printFirstPassword, printReady } from './startup.ts';
import { type StopRequest, StopRequestedError } from './stop-request.ts';

/** The embedded database's `max_connections`. */
const embeddedConnectionsMax = 100;

/** Runs the parent, which owns the embedded database and replaces workers. Loads no module that serves requests. */
export async function serveWithWorkers(config: Config, count: number, stop: StopRequest): Promise<number> {
  checkConnections(config, count);
  // A SIGUSR2 during the start replaces the workers afterwards, because they may have loaded older code.
  const started = Promise.withResolvers<WorkerSupervisor>();
  process.on('SIGUSR2', () => void started.promise.then((supervisor) => supervisor.exchange()));
  await ensureBuilt(stop.requested);
  const server = await findDatabaseServer(config, 'exclusive', stop.requested);
  try {
    return await serveOn(server, config, count, stop, started.resolve);
  } finally {
    await server.stop();
  }
}

async function serveOn(
  server: DatabaseServer,
  config: Config,
  count: number,
  stop: StopRequest,
  onStarted: (supervisor: WorkerSupervisor) => void,
): Promise<number> {
  const { stream, ...options } = logOptions(config.logLevel, config.logFormat);
  const log = pino(options, stream);
  setThreadPoolSize(count);
  const stopMs = config.stopSeconds * 1_000;
  const supervisor = new WorkerSupervisor({ count, log, stop, stopMs });
  let drains = false;
  try {
    const { address, firstPassword } = await stop.waitFor(supervisor.startFirst());
    try {
      await stop.waitFor(supervisor.startOthers());
      onStarted(supervisor);
      printReady(config, log, address, { workers: count });
    } finally {
      printFirstPassword(config, firstPassword);
    }
    drains = true;
    const lost = server.lost.then((reason) => `The embedded database has stopped: ${reason}`);
    console.error(await stop.waitFor(Promise.race([lost, supervisor.lost])));
    drains = false;
    return 1;
  } catch (error) {
    if (error instanceof StopRequestedError) return 0;
    if (!(error instanceof WorkerFailedError)) throw error;
    // Prints the message only when the process did not start; a started worker prints the reason itself.
    if (error.cause) console.error(error.message);
    return 1;
  } finally {
    // Starts the time limit of the workers, even if nobody requested a stop.
    if (!stop.requested.aborted) stop.request('the workers or the database have ended');
    await supervisor.end(drains);
  }
}

/** @throws ConfigError when the workers may need more connections than the embedded database has */
function checkConnections({ databaseUrl }: Config, count: number): void {
  if (databaseUrl !== null) return;
  const needed = (count + 1) * connectionsPerProcess(count);
  if (needed <= embeddedConnectionsMax) return;
  throw new ConfigError(
    `WORKERS=${count} may open ${needed} connections to the embedded database, with those of one more while they are ` +
      `exchanged; it takes ${embeddedConnectionsMax}. Set fewer, or DATABASE_URL`,
  );
}

/** Lets a worker hash two to eight passwords at once, with two threads free. Keeps the operator's own setting. */
function setThreadPoolSize(count: number): void {
  if (process.env.CLASSLEDGER_THREADS !== 'default') return;
  process.env.UV_THREADPOOL_SIZE = String(
    Math.min(Math.max(4, Math.ceil(thisMachine().cores / count) + 2), 10),
  );
}
