import type { App } from '../application/app.ts';
import type { Config } from '../config/config.ts';
import { listen, openApp, startNightlyBackups } from './application.ts';
import { ensureBuilt } from './ensure-built.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { freeStartupMemory, printFirstPassword, printReady } from './startup.ts';
import { type StopRequest, StopRequestedError } from './stop-request.ts';

/** Runs after the server has started to listen. The returned lines are printed after the start-up line. */
export type PrepareStart = (database: OpenDatabase, address: string) => Promise<string[]>;

export async function serveAlone(
  config: Config,
  stop: StopRequest,
  prepare: PrepareStart | undefined,
): Promise<number> {
  process.on('SIGUSR2', () =>
    console.error('SIGUSR2 ignored: this server runs without workers, so there are none to replace'),
  );
  await ensureBuilt(stop.requested);
  const database = await openDatabase(config, stop.requested);
  try {
    return await serveOn(database, config, stop, prepare);
  } finally {
    await database.close();
  }
}

async function serveOn(
  database: OpenDatabase,
  config: Config,
  stop: StopRequest,
  prepare: PrepareStart | undefined,
): Promise<number> {
  const app = await stop.waitFor(openApp(config, database));
  const endBackups = startNightlyBackups(app, database, config, stop);
  let exitCode = 0;
  let drainSeconds = 0;
  try {
    await start(app, database, config, stop, prepare);
    drainSeconds = config.drainSeconds;
    console.error(`The embedded database has stopped: ${await stop.waitFor(database.lost)}`);
    drainSeconds = 0;
    exitCode = 1;
    stop.request('the embedded database has stopped');
  } catch (error) {
    if (!(error instanceof StopRequestedError)) throw error;
  } finally {
    await endBackups();
    await close(app, drainSeconds, stop);
  }
  return exitCode;
}

async function close(app: App, drainSeconds: number, stop: StopRequest): Promise<void> {
  const log = app.http.server.listening ? app.http.log : null;
  const askedAt = performance.now();
  log?.info({ event: 'stopping', reason: stop.reason }, 'server');
  await app.close({ drainSeconds, cut: stop.cut });
  log?.info({ event: 'stopped', ms: Math.round(performance.now() - askedAt) }, 'server');
}

async function start(
  app: App,
  database: OpenDatabase,
  config: Config,
  stop: StopRequest,
  prepare: PrepareStart | undefined,
): Promise<void> {
  const { address, firstPassword } = await listen(app, database, config, stop);
  let lines: string[] = [];
  try {
    if (prepare) lines = await stop.waitFor(prepare(database, address));
    printReady(config, app.http.log, address);
  } finally {
    printFirstPassword(config, firstPassword);
  }
  for (const line of lines) console.log(line);
  freeStartupMemory();
  app.startBackgroundWork();
}
