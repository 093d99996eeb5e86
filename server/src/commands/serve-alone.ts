import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { backUpAtNight, listen, openApp } from './application.ts';
import { ensureClientBuilt } from './build-client.ts';
import { ensureWebBuilt } from './build-web.ts';
import { forgetStart } from './forget-start.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { upgradedFirst } from './open-upgraded.ts';
import { tellFirstPassword, tellReady } from './start-lines.ts';
import { StopAsked, type StopRequest } from './stop-request.ts';

/** Runs once the server listens; its lines follow the start-up line. */
export type Prepare = (database: OpenDatabase, address: string) => Promise<string[]>;

/** Serves in this process, with the embedded database and background work. @returns the exit code */
export async function serveAlone(
  config: Config,
  stop: StopRequest,
  prepare: Prepare | undefined,
): Promise<number> {
  process.on('SIGUSR2', () => console.error('SIGUSR2: there are no workers, so none are exchanged'));
  await ensureWebBuilt(stop.asked);
  await ensureClientBuilt(stop.asked);
  const database = await upgradedFirst(config, stop.asked, () => openDatabase(config, stop.asked));
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
  prepare: Prepare | undefined,
): Promise<number> {
  const app = await stop.before(openApp(config, database));
  const endBackups = backUpAtNight(app, database, config, stop);
  let exitCode = 0;
  let drainSeconds = 0;
  try {
    await start(app, database, config, stop, prepare);
    drainSeconds = config.drainSeconds;
    console.error(`The embedded database has stopped: ${await stop.before(database.lost)}`);
    drainSeconds = 0;
    exitCode = 1;
    stop.ask('the embedded database has stopped');
  } catch (error) {
    if (!(error instanceof StopAsked)) throw error;
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
  prepare: Prepare | undefined,
): Promise<void> {
  const { address, firstPassword } = await listen(app, database, config, stop);
  let lines: string[] = [];
  try {
    if (prepare) lines = await stop.before(prepare(database, address));
    tellReady(config, app.http.log, address);
  } finally {
    tellFirstPassword(config, firstPassword);
  }
  for (const line of lines) console.log(line);
  forgetStart();
  app.keepHouse();
}
