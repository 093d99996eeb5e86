import { installationSecret } from '../access/installation-secret.ts';
import { type App, buildApp } from '../application/app.ts';
import { NightlyBackups } from '../backup/nightly-backups.ts';
import { Progress } from '../backup/progress.ts';
import { untilAborted } from '../concurrency/until-aborted.ts';
import type { Config } from '../config/config.ts';
import { ensureFirstAdmin } from '../features/administrators/operator-access.ts';
import { unloggedMessage } from '../telemetry/log-stream.ts';
import { systemClock, systemMonotonicClock } from '../time/clock.ts';
import type { ServingDetails, Siblings } from '../workers/siblings.ts';
import type { OpenDatabase } from './open-database.ts';
import type { StopRequest } from './stop-request.ts';

export async function openApp(
  config: Config,
  { connection, listenTarget }: OpenDatabase,
  siblings?: Siblings,
): Promise<App> {
  // Fails now if the secret is missing, because sign-ins need it.
  installationSecret(config.secretKey, config.dataDir);
  return buildApp({
    config,
    database: connection,
    databaseListenTarget: listenTarget,
    clock: systemClock,
    monotonic: systemMonotonicClock,
    siblings,
  });
}

/** Listens, then creates the first administrator if there is none. */
export async function listen(
  app: App,
  { connection }: OpenDatabase,
  { port, host, adminUsername, adminPassword }: Config,
  stop: StopRequest,
): Promise<ServingDetails> {
  await app.http.listen({ port, host, listenTextResolver: () => unloggedMessage });
  // Runs after listening, which can fail, because the generated password is shown once. Only `cut` interrupts this.
  const firstPassword = await untilAborted(
    stop.cut,
    ensureFirstAdmin(connection.db, adminUsername, adminPassword, systemClock()),
  );
  return { address: app.http.listeningOrigin, firstPassword };
}

/** Starts nightly backups of the embedded database. The returned function waits for an active one to end. */
export function startNightlyBackups(
  { http, metrics }: App,
  { target }: OpenDatabase,
  { databaseUrl, backupDir, backupKeep, backupAtMinute }: Config,
  stop: StopRequest,
): () => Promise<void> {
  if (databaseUrl !== null || backupKeep === 0) return async () => {};
  const progress = new Progress(systemMonotonicClock, () => {});
  const nights = new NightlyBackups({
    folder: backupDir,
    keep: backupKeep,
    atMinute: backupAtMinute,
    clock: systemClock,
    write: async (sink) => {
      const { writeBackup } = await import('../backup/write-backup.ts');
      return writeBackup({ target, school: null, sink, progress, stop: stop.requested });
    },
    onBackup: (work) => {
      void metrics?.recordBackup(work);
      work.then(
        (file) => http.log.info({ event: 'backup', file }, 'backup'),
        (error: unknown) => {
          if (!stop.requested.aborted) http.log.error({ event: 'backupFailed', err: error }, 'backup failed');
        },
      );
    },
  });
  void nights.newestAt().then((at) => at && metrics?.setNewestBackup(at));
  nights.start();
  return () => nights.end();
}
