import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, errorText, FolderInUseError } from './embedded-postgres-error.ts';
import { isAlive } from './process-identity.ts';

/** SQLite locks in steps, so simultaneous attempts block each other. A short wait lets one through. */
const contentionMs = 150;

/** How often to try a lock without a known owner, because starts may block each other. */
const attemptsMax = 10;

/** SQLite's primary result code: the low byte of extended codes. */
const sqliteBusy = 5;

/** References the open databases, because garbage collection would close them and release the locks. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Locks the data folder until this process ends, or fails at once. Invariant: only this code opens `owner.lock` in this
 * process, because POSIX drops its locks at any close of the file. Returns a function that releases the lock.
 * @throws EmbeddedPostgresError
 */
export function lockFolder(layout: Layout): () => void {
  const owned = openLock(layout);
  heldLocks.add(owned);
  ignoreErrors(() => {
    // Removes the file first, because a killed owner may have been another user.
    rmSync(layout.ownerFile, { force: true });
    writeFileSync(layout.ownerFile, `${process.pid}\n`);
  });
  return () => {
    if (!heldLocks.delete(owned)) return;
    ignoreErrors(() => rmSync(layout.ownerFile, { force: true }));
    owned.close();
  };
}

function openLock(layout: Layout): DatabaseSync {
  for (let attempt = 1; ; attempt += 1) {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(layout.lockFile, { timeout: contentionMs });
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      return database;
    } catch (error) {
      database?.close();
      const { errcode = 0 } = error as { readonly errcode?: number };
      if ((errcode & 0xff) === sqliteBusy) {
        const owner = runningOwner(layout);
        if (owner === undefined && attempt < attemptsMax) continue;
        const named = owner === undefined ? '' : ` (process ${owner})`;
        throw new FolderInUseError(
          `The data folder ${layout.folder} is in use by another running Classledger${named}.`,
          { cause: error },
        );
      }
      throw new EmbeddedPostgresError(
        `The file ${layout.lockFile} cannot be locked (${errorText(error)}): while no Classledger runs on this folder, ` +
          'remove that file; the folder must be writable for this user and on a file system with locks.',
        { cause: error },
      );
    }
  }
}

function runningOwner(layout: Layout): number | undefined {
  let owner: number | undefined;
  ignoreErrors(() => {
    const pid = Number(readFileSync(layout.ownerFile, 'utf8'));
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) owner = pid;
  });
  return owner;
}

function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    // Ignored, because only messages use the content of these files.
  }
}
