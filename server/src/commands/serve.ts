import { buildApp } from '../app.ts';
import { systemClock, systemMonotonic } from '../clock.ts';
import type { Config } from '../config.ts';
import { ensureFirstAdmin } from '../features/administrators/first-admin.ts';
import { ensureWebBuilt } from './build-web.ts';
import { openDatabase } from './open-database.ts';

/** Runs once the server listens, before the start-up line; what it returns is printed after that line. */
export type Prepare = (
  database: Awaited<ReturnType<typeof openDatabase>>,
  address: string,
) => Promise<string[]>;

/**
 * Serves until SIGTERM or SIGINT, then finishes requests in flight, writes the audit log out and stops the
 * embedded database.
 *
 * @returns the exit code
 */
export async function serve(config: Config, prepare?: Prepare): Promise<number> {
  const stopAsked = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
  await ensureWebBuilt();
  const database = await openDatabase(config);
  let exitCode = 0;
  try {
    const app = await buildApp({
      config,
      database: database.connection,
      databaseTarget: database.target,
      clock: systemClock,
      monotonic: systemMonotonic,
    });
    try {
      await app.http.listen({ port: config.port, host: config.host });
      const address = app.http.listeningOrigin;
      // Not before listening, which may fail: the password that is generated cannot be had again.
      const generated = await ensureFirstAdmin(
        database.connection.db,
        config.adminUsername,
        config.adminPassword,
        systemClock(),
      );
      let lines: string[] = [];
      try {
        if (prepare) lines = await prepare(database, address);
        console.log(`Classledger is ready at ${address}`);
      } finally {
        if (generated !== null) {
          console.log(
            `First administrator: ${config.adminUsername} with password ${generated} (shown this once)`,
          );
        }
      }
      for (const line of lines) console.log(line);
      void app
        .housekeep()
        .catch((error: unknown) => app.http.log.error({ err: error }, 'housekeeping failed'));

      const reason = await Promise.race([stopAsked, database.lost]);
      if (reason !== 'SIGTERM' && reason !== 'SIGINT') {
        console.error(`The embedded database has stopped: ${reason}`);
        exitCode = 1;
      }
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
  }
  return exitCode;
}
