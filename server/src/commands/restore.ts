import { BackupError } from '../backup/backup-error.ts';
import { BackupReader } from '../backup/backup-file.ts';
import { backupSource } from '../backup/backup-target.ts';
import { Progress } from '../backup/progress.ts';
import { type RestoreOptions, restoreBackup } from '../backup/restore-backup.ts';
import { restoreSchool } from '../backup/restore-school.ts';
import type { Config } from '../config/config.ts';
import { checkDatabase } from '../database/check-database.ts';
import type { DatabaseTarget } from '../database/client.ts';
import { connectDatabase, type Transaction } from '../database/connect.ts';
import { toDatabaseUnusable } from '../database/database-unusable.ts';
import { verifyLedgerWithin } from '../features/scores/verify-ledger.ts';
import { withoutControlCharacters } from '../telemetry/log-stream.ts';
import { systemMonotonicClock } from '../time/clock.ts';
import { readArguments } from './backup-arguments.ts';
import { findDatabaseServer } from './find-database-server.ts';
import { openDatabase } from './open-database.ts';
import type { StopRequest } from './stop-request.ts';
import { printDifferences } from './verify.ts';

const usage = 'Name the file: restore FILE [--school] [--unproven]; - stands for standard input';

/** Restores an installation, or a school beside others. @throws BackupError, DatabaseUnusableError, UsageError */
export async function restore(config: Config, args: readonly string[], stop: StopRequest): Promise<number> {
  const options = { school: { type: 'boolean' }, unproven: { type: 'boolean' } } as const;
  const { file, school, unproven } = readArguments(args, options, usage);
  const backup = new BackupReader(backupSource(file));
  // Checks the file first, so that a bad file does not create an empty database.
  await stop.waitFor(backup.begin());
  const source: BackupSource = {
    backup,
    progress: new Progress(systemMonotonicClock, (line) => console.error(line)),
    stop: stop.requested,
    verify: (tx) => proveRestoredLedger(tx, unproven === true),
  };
  try {
    const lines = school ? await restoreOneSchool(config, source) : await restoreInstallation(config, source);
    for (const line of lines) console.log(withoutControlCharacters(line));
    return 0;
  } catch (error) {
    throw toDatabaseUnusable(error);
  }
}

const resumeWebhooksHint =
  'Webhooks were stopped: unless this is a copy, resume them at /admin, in API credentials';

type BackupSource = Omit<RestoreOptions, 'target'>;

async function restoreInstallation(config: Config, source: BackupSource): Promise<string[]> {
  const database = await findDatabaseServer(config, 'exclusive', source.stop);
  try {
    await checkUsable(database.target);
    const { manifest, rows, webhooksStopped } = await restoreBackup({ ...source, target: database.target });
    return [
      `Restored ${rows} rows of the backup of ${manifest.createdAt}`,
      staleDataHint(manifest.createdAt),
      'Second factors and sign-in services work only with the SECRET_KEY, or secret.key of the DATA_DIR, that was in use at the time of the backup',
      ...(webhooksStopped > 0 ? [`${resumeWebhooksHint} (${webhooksStopped})`] : []),
    ];
  } finally {
    await database.stop();
  }
}

async function restoreOneSchool(config: Config, source: BackupSource): Promise<string[]> {
  const database = await openDatabase(config, source.stop, 'join');
  try {
    const { target } = database;
    const { manifest, rows, schoolId, shifts } = await restoreSchool({ ...source, target });
    const raised = [...shifts].map(([kind, shift]) => `${kind} +${shift}`).join(', ');
    return [
      `Restored ${rows} rows of the school "${manifest.school?.name}" from the backup of ${manifest.createdAt}: it is school_${schoolId} here`,
      raised === '' ? 'All ids are unchanged' : `Ids that were in use here were raised: ${raised}`,
      staleDataHint(manifest.createdAt),
      'Second factors, sign-in services and credentials that super administrators issued have to be set up again',
    ];
  } finally {
    await database.close();
  }
}

const staleDataHint = (moment: string) =>
  `Everybody must sign in again. Changes after ${moment} are lost: check passwords, revoked credentials and erased people`;

async function checkUsable(target: DatabaseTarget): Promise<void> {
  const connection = connectDatabase(target);
  try {
    await checkDatabase(connection.pool);
  } finally {
    await connection.end();
  }
}

/** Checks that all totals follow from the ledger. @throws BackupError on a difference, unless `unproven` */
async function proveRestoredLedger(tx: Transaction, unproven: boolean): Promise<void> {
  const proof = await verifyLedgerWithin(tx);
  printDifferences(proof);
  if (proof.differences.length === 0 || unproven) return;
  throw new BackupError(
    'Nothing was restored: some totals do not match the ledger. The database that was backed up had the same differences. To restore it anyway, add --unproven',
  );
}
