import { BackupError } from '../backup/backup-error.ts';
import { BackupReader } from '../backup/backup-file.ts';
import { backupSource } from '../backup/backup-place.ts';
import { Progress } from '../backup/progress.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { restoreSchool } from '../backup/restore-school.ts';
import { systemMonotonic } from '../clock.ts';
import type { Config } from '../config.ts';
import { checkDatabase } from '../database/check-database.ts';
import type { DatabaseTarget } from '../database/client.ts';
import { connectDatabase, type Transaction } from '../database/connect.ts';
import { toDatabaseUnusable } from '../database/database-unusable.ts';
import { proveLedger } from '../features/scores/verify-ledger.ts';
import { plain } from '../telemetry/log-stream.ts';
import { readArguments } from './backup-arguments.ts';
import { openDatabase } from './open-database.ts';
import { reachDatabase } from './reach-database.ts';
import type { StopRequest } from './stop-request.ts';
import { printDifferences } from './verify.ts';

const usage = 'Name the file: restore FILE [--school] [--unproven]; - stands for standard input';

/**
 * Restores a backup into an empty database, or that of a school beside other data.
 *
 * @returns the exit code
 * @throws BackupError, DatabaseUnusableError, UsageError, StopAsked
 */
export async function restore(config: Config, words: readonly string[], stop: StopRequest): Promise<number> {
  const options = { school: { type: 'boolean' }, unproven: { type: 'boolean' } } as const;
  const { file, school, unproven } = readArguments(words, options, usage);
  const backup = new BackupReader(backupSource(file));
  // Checks the file first, so that a bad file does not create an empty database.
  await stop.before(backup.begin());
  const order = (target: DatabaseTarget) => ({
    target,
    backup,
    progress: new Progress(systemMonotonic, (line) => console.error(line)),
    stop: stop.asked,
    prove: (tx: Transaction) => prove(tx, unproven === true),
  });
  try {
    const work = school ? besideOthers(config, stop, order) : alone(config, stop, order);
    for (const line of await work) console.log(plain(line));
    return 0;
  } catch (error) {
    throw toDatabaseUnusable(error);
  }
}

const resumeWebhooks =
  'Webhooks were stopped: unless this is a copy, resume them at /admin, in API credentials';

type Order = (target: DatabaseTarget) => Parameters<typeof restoreBackup>[0];

async function alone(config: Config, stop: StopRequest, order: Order): Promise<string[]> {
  const database = await reachDatabase(config, 'alone', stop.asked);
  try {
    await checkUsable(database.target);
    const { manifest, rows, webhooksStopped } = await restoreBackup(order(database.target));
    return [
      `Restored ${rows} rows of the backup of ${manifest.createdAt}`,
      ...sinceThen(manifest.createdAt),
      'Second factors and sign-in services work only with the SECRET_KEY, or secret.key of the DATA_DIR, of then',
      ...(webhooksStopped > 0 ? [`${resumeWebhooks} (${webhooksStopped})`] : []),
    ];
  } finally {
    await database.stop();
  }
}

async function besideOthers(config: Config, stop: StopRequest, order: Order): Promise<string[]> {
  const database = await openDatabase(config, stop.asked, 'beside');
  try {
    const { manifest, rows, schoolId, shifts } = await restoreSchool(order(database.target));
    const raised = [...shifts].map(([kind, shift]) => `${kind} +${shift}`).join(', ');
    return [
      `Restored ${rows} rows of the school "${manifest.school?.name}" from the backup of ${manifest.createdAt}: it is school_${schoolId} here`,
      raised === '' ? 'All ids are what they were' : `Ids that were taken are higher now: ${raised}`,
      ...sinceThen(manifest.createdAt),
      'Second factors, sign-in services and credentials that super administrators issued have to be set up again',
    ];
  } finally {
    await database.close();
  }
}

const sinceThen = (moment: string) => [
  `Everybody signs in again. What was changed after ${moment} is as it was: look at passwords, credentials that were revoked and people who were erased since`,
];

/** @throws DatabaseUnusableError */
async function checkUsable(target: DatabaseTarget): Promise<void> {
  const connection = connectDatabase(target);
  try {
    await checkDatabase(connection.pool);
  } finally {
    await connection.end();
  }
}

/** Proves the ledger and prints differences. @throws BackupError on a difference, unless `unproven` */
export async function prove(tx: Transaction, unproven: boolean): Promise<void> {
  const proof = await proveLedger(tx);
  printDifferences(proof);
  if (proof.differences.length === 0 || unproven) return;
  throw new BackupError(
    'Nothing was restored, because not all totals follow from the ledger; the database that was backed up had the same differences. To restore it as it was: --unproven',
  );
}
