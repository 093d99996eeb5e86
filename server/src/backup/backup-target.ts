import { createReadStream } from 'node:fs';
import { access, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '@classledger/embedded-postgres';
import { BackupError } from './backup-error.ts';
import type { Sink } from './backup-file.ts';

/** The target of a backup. A file gets its final name after the last byte is on disk. */
export interface BackupTarget {
  readonly sink: Sink;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export const draftSuffix = '.unfinished';

/** A draft that has not changed for this long was left by a killed process. */
const abandonedAfterMs = 3_600_000;

/** Opens a new file that only its owner can read. @throws BackupError if it exists or cannot be created */
export async function newBackupFile(file: string): Promise<BackupTarget> {
  const draft = `${file}${draftSuffix}`;
  const handle = await newDraft(draft);
  const discard = async () => {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
  };
  // Checks the name after creating the draft, because the draft keeps other backups away from this name.
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  if (isTaken) {
    await discard();
    throw new BackupError(`${file} exists already: choose another name`);
  }
  return {
    sink: async (bytes) => {
      let written = 0;
      while (written < bytes.length) {
        written += (await handle.write(bytes, written)).bytesWritten;
      }
    },
    async keep() {
      await handle.sync();
      await handle.close();
      await rename(draft, file).catch(throwWriteError);
      await syncFolder(dirname(file));
    },
    discard,
  };
}

async function newDraft(draft: string): Promise<FileHandle> {
  const existing = await stat(draft).catch(() => null);
  if (existing && existing.mtimeMs < Date.now() - abandonedAfterMs) await rm(draft, { force: true });
  return open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') return throwWriteError(error);
    throw new BackupError(`${draft} is being written by another backup: choose another name, or wait for it`);
  });
}

function throwWriteError(error: Error): never {
  throw new BackupError(`The backup cannot be written: ${error.message}`, { cause: error });
}

export function standardOutput(): BackupTarget {
  return {
    sink: (bytes) =>
      new Promise<void>((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
      }).catch(throwWriteError),
    keep: async () => {},
    discard: async () => {},
  };
}

/** Reads a file, or standard input for `-`. @throws BackupError when reading fails */
export async function* backupSource(file: string): AsyncGenerator<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1_048_576 });
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw new BackupError(`The backup cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
