import type { CloseOptions } from '../application/closing.ts';
import type { Config } from '../config/config.ts';
import { ParentChannel } from '../workers/parent-channel.ts';
import { listen, openApp, startNightlyBackups } from './application.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { freeStartupMemory } from './startup.ts';
import type { StopRequest } from './stop-request.ts';

/** Serves the port with other workers, as the parent orders. Stops when the parent ends. @returns the exit code */
export async function serveAsWorker(config: Config, stop: StopRequest): Promise<number> {
  const count = Promise.withResolvers<number>();
  const housekeeping = Promise.withResolvers<void>();
  let closing: CloseOptions = {};
  const parent = new ParentChannel(
    (order) => {
      if (order.kind === 'serve') count.resolve(order.count);
      else if (order.kind === 'startHousekeeping') housekeeping.resolve();
      else if (order.kind === 'cut') stop.cutNow();
      else if (order.kind === 'stop') {
        closing = { drainSeconds: order.drains ? config.drainSeconds : 0 };
        stop.request('the server stops');
      } else {
        closing = { retireMs: order.retireMs };
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
      await serveOn(database, config, stop, parent, housekeeping.promise, () => closing);
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
  parent: ParentChannel,
  housekeeping: Promise<void>,
  closing: () => CloseOptions,
): Promise<void> {
  const app = await stop.waitFor(openApp(config, database, parent));
  let endBackups = async () => {};
  try {
    // Collects garbage before clients connect, because this blocks the process for a moment.
    freeStartupMemory();
    parent.send({ kind: 'answering' });
    parent.send({ kind: 'serving', ...(await listen(app, database, config, stop)) });
    await stop.waitFor(housekeeping);
    endBackups = startNightlyBackups(app, database, config, stop);
    app.startBackgroundWork();
    await stop.waitFor(new Promise(() => {}));
  } finally {
    await endBackups();
    await app.close({ ...closing(), cut: stop.cut });
  }
}
