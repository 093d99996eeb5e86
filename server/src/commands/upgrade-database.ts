import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, FolderInUseError, upgradeCluster } from '@classledger/embedded-postgres';
import { BackupError } from '../backup/backup-error.ts';
import { BackupReader } from '../backup/backup-file.ts';
import { backupSource, draftSuffix, newBackupFile } from '../backup/backup-target.ts';
import { Progress } from '../backup/progress.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import type { Config } from '../config/config.ts';
import type { DatabaseTarget } from '../database/client.ts';
import { DatabaseUnusableError, toDatabaseUnusable } from '../database/database-unusable.ts';
import { systemMonotonic } from '../time/clock.ts';
import { proveRestoredLedger } from './restore.ts';

const manualUpgradeHint =
  'back it up with the release that made it ("classledger backup FILE"), and restore that file into a new DATA_DIR with this one';

/** Upgrades the embedded database through a backup that stays. @throws DatabaseUnusableError, or the abort's reason */
export async function upgrade(
  { dataDir, backupDir }: Config,
  major: string,
  stop: AbortSignal,
): Promise<void> {
  const print = (line: string) => console.log(line);
  try {
    await upgradeCluster({
      folder: dataDir,
      major,
      stop,
      print,
      copyData: (from, to) =>
        copyData({ ...from, ssl: false }, { ...to, ssl: false }, { backupDir, stop, print }),
    });
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof FolderInUseError) throw toDatabaseUnusable(error);
    const shown =
      error instanceof EmbeddedPostgresError || error instanceof BackupError
        ? error
        : toDatabaseUnusable(error);
    if (!(shown instanceof Error)) throw shown;
    throw new DatabaseUnusableError(
      `DATA_DIR: the database was not upgraded and stays as it was: ${shown.message.replace(/\.$/, '')}. Correct the cause and start again, or ${manualUpgradeHint}`,
      { cause: error },
    );
  }
}

async function copyData(
  from: DatabaseTarget,
  to: DatabaseTarget,
  { backupDir, stop, print }: { backupDir: string; stop: AbortSignal; print: (line: string) => void },
): Promise<void> {
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  const file = join(backupDir, 'before-upgrade-of-postgresql.backup');
  const progress = new Progress(systemMonotonic, print);
  print(`Backing the database up: ${file}`);
  // Removes backups of failed attempts; the old database still holds their data.
  for (const left of [file, `${file}${draftSuffix}`]) await rm(left, { force: true });
  const place = await newBackupFile(file);
  try {
    await writeBackup({ target: from, school: null, sink: place.sink, progress, stop });
    await place.keep();
  } catch (error) {
    await place.discard();
    throw error;
  }
  print('Restoring the backup into a new database');
  const backup = new BackupReader(backupSource(file));
  await restoreBackup({
    target: to,
    backup,
    progress,
    stop,
    verify: (tx) => proveRestoredLedger(tx, false),
    keepsWebhooks: true,
  });
}
