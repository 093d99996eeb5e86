import { type App, buildApp } from '../app.ts';
import { systemClock, systemMonotonic } from '../clock.ts';
import type { Config } from '../config.ts';
import { ensureFirstAdmin } from '../features/administrators/first-admin.ts';
import { untilAborted } from '../until-aborted.ts';
import { ensureWebBuilt } from './build-web.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { StopAsked, type StopRequest } from './stop-request.ts';

/** Runs once the server listens, before the start-up line; what it returns is printed after that line. */
export type Prepare = (database: OpenDatabase, address: string) => Promise<string[]>;

/**
 * Serves until it is asked to stop, then finishes requests in flight, writes the audit log out and stops the
 * embedded database. What has not ended in time is cut off. Asked during the start, it stops there.
 *
 * @returns the exit code
 */
export async function serve(config: Config, stop: StopRequest, prepare?: Prepare): Promise<number> {
  stop.allow((config.drainSeconds + config.stopSeconds) * 1_000);
  try {
    await ensureWebBuilt(stop.asked);
    const database = await openDatabase(config, stop.asked);
    try {
      return await serveOn(database, config, stop, prepare);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof StopAsked) return 0;
    throw error;
  }
}

async function serveOn(
  database: OpenDatabase,
  config: Config,
  stop: StopRequest,
  prepare: Prepare | undefined,
): Promise<number> {
  const { connection, target } = database;
  const app = await stop.before(
    buildApp({
      config,
      database: connection,
      databaseTarget: target,
      clock: systemClock,
      monotonic: systemMonotonic,
    }),
  );
  let exitCode = 0;
  let drainSeconds = 0;
  try {
    await start(app, database, config, stop, prepare);
    drainSeconds = config.drainSeconds;
    console.error(`The embedded database has stopped: ${await stop.before(database.lost)}`);
    // Nothing can be served any more.
    drainSeconds = 0;
    exitCode = 1;
    stop.ask('the embedded database has stopped');
  } catch (error) {
    if (!(error instanceof StopAsked)) throw error;
  } finally {
    await app.close({ drainSeconds, cut: stop.cut });
  }
  return exitCode;
}

/** Listens, makes sure that there is an administrator, and prints the start-up lines. */
async function start(
  app: App,
  database: OpenDatabase,
  config: Config,
  stop: StopRequest,
  prepare: Prepare | undefined,
): Promise<void> {
  await app.http.listen({ port: config.port, host: config.host });
  const address = app.http.listeningOrigin;
  // Not before listening, which may fail, and not left half done: the password that is generated cannot be had again.
  const generated = await untilAborted(
    stop.cut,
    ensureFirstAdmin(database.connection.db, config.adminUsername, config.adminPassword, systemClock()),
  );
  let lines: string[] = [];
  try {
    if (prepare) lines = await stop.before(prepare(database, address));
    console.log(`Classledger is ready at ${address}`);
  } finally {
    if (generated !== null) {
      console.log(
        `First administrator: ${config.adminUsername} with password ${generated} (shown this once)`,
      );
    }
  }
  for (const line of lines) console.log(line);
  void app.housekeep().catch((error: unknown) => app.http.log.error({ err: error }, 'housekeeping failed'));
}
