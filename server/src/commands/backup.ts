import { newBackupFile, standardOutput } from '../backup/backup-target.ts';
import { Progress } from '../backup/progress.ts';
import { writeBackup } from '../backup/write-backup.ts';
import type { Config } from '../config/config.ts';
import { toDatabaseUnusable } from '../database/database-unusable.ts';
import { systemMonotonicClock } from '../time/clock.ts';
import { readArguments, UsageError } from './backup-arguments.ts';
import { findDatabaseServer } from './find-database-server.ts';
import type { StopRequest } from './stop-request.ts';

const usage = 'Name the file: backup FILE [--school ID]; - stands for standard output';

const isNpmPrinting = () =>
  process.env.npm_lifecycle_event === 'backup' && process.env.npm_config_loglevel !== 'silent';

/** Backs up the installation or a school. @throws BackupError, DatabaseUnusableError, UsageError, StopRequestedError */
export async function backup(config: Config, args: readonly string[], stop: StopRequest): Promise<number> {
  const { file, school } = readArguments(args, { school: { type: 'string' } }, usage);
  const schoolId = school === undefined ? null : Number(/^(?:school_)?(\d{1,15})$/.exec(String(school))?.[1]);
  if (Number.isNaN(schoolId)) throw new UsageError(usage);
  if (file === '-' && isNpmPrinting()) {
    throw new UsageError('npm would add lines of its own to the backup: run "npm run -s backup -- -"');
  }
  const started = performance.now();
  const database = await findDatabaseServer(config, 'join', stop.requested);
  try {
    const place = file === '-' ? standardOutput() : await newBackupFile(file);
    try {
      const { rows, bytes, sha256 } = await writeBackup({
        target: database.target,
        school: schoolId,
        sink: place.sink,
        progress: new Progress(systemMonotonicClock, (line) => console.error(line)),
        stop: stop.requested,
      });
      await place.keep();
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      const size = (bytes / 1_048_576).toFixed(1);
      const line = `Backup: ${rows} rows, ${size} MiB, ${seconds} s, SHA-256 ${sha256}: ${file}`;
      // Keeps this line out of a backup that goes to standard output.
      (file === '-' ? console.error : console.log)(line);
      return 0;
    } catch (error) {
      await place.discard();
      throw toDatabaseUnusable(error);
    }
  } finally {
    await database.stop();
  }
}
