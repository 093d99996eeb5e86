import { createReadStream } from 'node:fs';
import { access, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from './backup-error.ts';
import type { Sink } from './backup-file.ts';

/** Where a backup goes; it has its name only when it is whole and on the disk. */
export interface BackupPlace {
  readonly sink: Sink;
  /** Gives the file its name. */
  keep(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** What an unfinished backup is called. */
export const unfinished = '.unfinished';

/** A draft to which nobody has added anything for so long was left by a process that was killed. */
const leftAfterMs = 3_600_000;

/** A new file, which only its user may read. @throws BackupError where there is one already, or none can be made */
export async function newBackupFile(file: string): Promise<BackupPlace> {
  const draft = `${file}${unfinished}`;
  const handle = await newDraft(draft);
  const discard = async () => {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
  };
  // Not before the draft is ours: from then on nobody else makes this file.
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) {
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
      await rename(draft, file).catch(refuse);
      await syncFolder(dirname(file));
    },
    discard,
  };
}

/** Only one process has a draft: what another is writing is not touched. */
async function newDraft(draft: string): Promise<FileHandle> {
  const begun = await stat(draft).catch(() => null);
  if (begun && begun.mtimeMs < Date.now() - leftAfterMs) await rm(draft, { force: true });
  return open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') return refuse(error);
    throw new BackupError(`${draft} is being written by another backup: choose another name, or wait for it`);
  });
}

function refuse(error: Error): never {
  throw new BackupError(`The backup cannot be written: ${error.message}`, { cause: error });
}

/** Makes a rename survive a power failure. Windows cannot and need not do that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Standard output, for a pipe. */
export function standardOutput(): BackupPlace {
  return {
    sink: (bytes) =>
      new Promise<void>((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
      }).catch(refuse),
    keep: async () => {},
    discard: async () => {},
  };
}

/** The bytes of a file, or of standard input for `-`. @throws BackupError while it is read */
export async function* backupSource(file: string): AsyncGenerator<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1_048_576 });
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw new BackupError(`The backup cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
