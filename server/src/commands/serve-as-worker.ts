import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { ParentLine } from '../workers/parent-line.ts';
import { backUpAtNight, listen, openApp } from './application.ts';
import { forgetStart } from './forget-start.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import type { StopRequest } from './stop-request.ts';

interface Leaving {
  readonly drains: boolean;
  readonly leavingMs: number;
}

/**
 * Serves the port beside sibling processes. The parent runs the embedded database and decides when this worker serves,
 * does housekeeping and ends. Losing the parent also ends it. @returns the exit code
 */
export async function serveAsWorker(config: Config, stop: StopRequest): Promise<number> {
  const count = Promise.withResolvers<number>();
  const housekeeping = Promise.withResolvers<void>();
  let leaving: Leaving = { drains: false, leavingMs: 0 };
  const line = new ParentLine(
    (order) => {
      if (order.kind === 'serve') count.resolve(order.count);
      else if (order.kind === 'keepHouse') housekeeping.resolve();
      else if (order.kind === 'cut') stop.cutNow();
      else if (order.kind === 'stop') {
        leaving = { drains: order.drains, leavingMs: 0 };
        stop.ask('the server stops');
      } else {
        leaving = { drains: false, leavingMs: order.leavingMs };
        stop.allow(order.leavingMs + config.stopSeconds * 1_000);
        stop.ask('another worker serves instead');
      }
    },
    () => stop.ask('the parent is gone'),
  );
  try {
    line.count = await stop.before(count.promise);
    const database = await openDatabase(config, stop.asked, 'below', line.count);
    try {
      await serveOn(database, config, stop, line, housekeeping.promise, () => leaving);
    } finally {
      await database.close();
    }
  } finally {
    line.hangUp();
  }
  return 0;
}

async function serveOn(
  database: OpenDatabase,
  config: Config,
  stop: StopRequest,
  line: ParentLine,
  housekeeping: Promise<void>,
  leaving: () => Leaving,
): Promise<void> {
  const app = await stop.before(openApp(config, database, line));
  let endBackups = async () => {};
  try {
    // Collects garbage before clients wait, because it blocks for a moment.
    forgetStart();
    line.tell({ kind: 'hears' });
    line.take = (connection) => app.http.server.emit('connection', connection);
    line.tell({ kind: 'listens' });
    line.tell({ kind: 'serves', ...(await listen(app, database, config, stop)) });
    await stop.before(housekeeping);
    endBackups = backUpAtNight(app, database, config, stop);
    app.keepHouse();
    await stop.before(new Promise(() => {}));
  } finally {
    await endBackups();
    await close(app, config, stop, leaving());
  }
}

function close(app: App, { drainSeconds }: Config, { cut }: StopRequest, { drains, leavingMs }: Leaving) {
  return app.close({ drainSeconds: drains ? drainSeconds : 0, leavingMs, cut });
}
