import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, errorText, FolderInUseError } from './embedded-postgres-error.ts';
import { isAlive } from './process-identity.ts';

/** SQLite locks in steps, so simultaneous attempts block each other. A short wait lets one through. */
const contentionMs = 150;

/** How often to try a damaged lock file, or a lock without a known owner, because starts may block each other. */
const attemptsMax = 10;

/** SQLite's primary result codes: the low byte of extended codes. */
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
const sqliteFull = 13;

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
      const result = resultCode(error);
      if (result === sqliteBusy) {
        const owner = runningOwner(layout);
        if (owner === undefined && attempt < attemptsMax) continue;
        throw new FolderInUseError(inUseMessage(layout, owner), { cause: error });
      }
      if ((result === sqliteNotADatabase || result === sqliteCorrupt) && attempt < attemptsMax) {
        // Empties the damaged file, because only its lock matters. SQLite could read it, so the lock is free.
        ignoreErrors(() => truncateSync(layout.lockFile));
        continue;
      }
      if (result === sqliteFull) {
        throw new EmbeddedPostgresError(`The disk of ${layout.folder} is full: make room on it.`, {
          cause: error,
        });
      }
      throw new EmbeddedPostgresError(
        `The file ${layout.lockFile} cannot be locked (${errorText(error)}): while no Classledger runs on this folder, ` +
          'remove that file; the folder must be writable for this user and on a file system with locks.',
        { cause: error },
      );
    }
  }
}

function inUseMessage(layout: Layout, owner: number | undefined): string {
  const process = owner === undefined ? '' : ` (process ${owner})`;
  return `The data folder ${layout.folder} is in use by another running Classledger${process}.`;
}

function runningOwner(layout: Layout): number | undefined {
  let owner: number | undefined;
  ignoreErrors(() => {
    const pid = Number(readFileSync(layout.ownerFile, 'utf8'));
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) owner = pid;
  });
  return owner;
}

function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    // Ignored, because only messages use the content of these files.
  }
}
