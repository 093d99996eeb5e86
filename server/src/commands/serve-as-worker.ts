import type { Config } from '../config/config.ts';
import { ParentChannel } from '../workers/parent-channel.ts';
import { listen, openApp, startNightlyBackups } from './application.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { freeStartupMemory } from './startup.ts';
import type { StopRequest } from './stop-request.ts';

interface WorkerStop {
  readonly drains: boolean;
  readonly retireMs: number;
}

/** Serves the port with other workers, as the parent orders. Stops when the parent ends. @returns the exit code */
export async function serveAsWorker(config: Config, stop: StopRequest): Promise<number> {
  const count = Promise.withResolvers<number>();
  const housekeeping = Promise.withResolvers<void>();
  let workerStop: WorkerStop = { drains: false, retireMs: 0 };
  const parent = new ParentChannel(
    (order) => {
      if (order.kind === 'serve') count.resolve(order.count);
      else if (order.kind === 'startHousekeeping') housekeeping.resolve();
      else if (order.kind === 'cut') stop.cutNow();
      else if (order.kind === 'stop') {
        workerStop = { drains: order.drains, retireMs: 0 };
        stop.request('the server stops');
      } else {
        workerStop = { drains: false, retireMs: order.retireMs };
        stop.setTimeLimit(order.retireMs + config.stopSeconds * 1_000);
        stop.request('another worker serves instead');
      }
    },
    () => stop.request('the parent process has ended'),
  );
  try {
    parent.count = await stop.waitFor(count.promise);
    const database = await openDatabase(config, stop.requested, 'parent', parent.count);
    try {
      await serveOn(database, config, stop, parent, housekeeping.promise, () => workerStop);
    } finally {
      await database.close();
    }
  } finally {
    parent.disconnect();
  }
  return 0;
}

async function serveOn(
  database: OpenDatabase,
  config: Config,
  stop: StopRequest,
  line: ParentChannel,
  housekeeping: Promise<void>,
  leaving: () => WorkerStop,
): Promise<void> {
  const app = await stop.waitFor(openApp(config, database, line));
  let endBackups = async () => {};
  try {
    // Collects garbage before clients connect, because this blocks the process for a moment.
    freeStartupMemory();
    line.send({ kind: 'answering' });
    line.acceptConnection = (connection) => app.http.server.emit('connection', connection);
    line.send({ kind: 'listening' });
    line.send({ kind: 'serving', ...(await listen(app, database, config, stop)) });
    await stop.waitFor(housekeeping);
    endBackups = startNightlyBackups(app, database, config, stop);
    app.startBackgroundWork();
    await stop.waitFor(new Promise(() => {}));
  } finally {
    await endBackups();
    const { drains, retireMs } = leaving();
    await app.close({ drainSeconds: drains ? config.drainSeconds : 0, retireMs, cut: stop.cut });
  }
}
