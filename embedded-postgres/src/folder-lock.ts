import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, errorText, FolderInUseError } from './embedded-postgres-error.ts';
import { isAlive } from './process-identity.ts';

/** Exclusive ownership of a data folder by this process. */
export interface FolderLock {
  /** Gives the folder up. Idempotent. */
  release(): void;
}

/**
 * How long a lock attempt goes on. SQLite takes its exclusive lock in steps, so two first attempts may get
 * in each other's way; the short wait lets exactly one of them through instead of refusing both.
 */
const contentionMs = 150;

/**
 * How often the lock is tried for while no one is known to have it. On a busy machine simultaneous starts may
 * refuse each other; one of them must get through.
 */
const attemptsMax = 10;

/** Result codes of SQLite; extended codes only differ above the low byte. */
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
const sqliteFull = 13;

/** Keeps the open lock databases reachable: a garbage-collected one would silently give its lock up. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the only owner of the data folder, or fails at once.
 *
 * The lock is the operating system's lock that SQLite puts on an open database file in an exclusive
 * transaction. It is atomic and vanishes with the process however that ends, so it never has to be cleaned
 * up. A second attempt within the same process is refused as well.
 *
 * Invariant to keep elsewhere: nothing in this process may open and close `owner.lock` by other means
 * (not even to read it), since POSIX drops a process's file locks on any close of that file.
 *
 * @throws EmbeddedPostgresError when another owner is running, or when the file system cannot lock.
 */
export function lockFolder(layout: Layout): FolderLock {
  const owned = openLock(layout);
  held.add(owned);
  tryTo(() => {
    // Removed first: an owner that was killed may have been another user.
    rmSync(layout.ownerFile, { force: true });
    writeFileSync(layout.ownerFile, `${process.pid}\n`);
  });
  return {
    release() {
      if (!held.delete(owned)) return;
      tryTo(() => rmSync(layout.ownerFile, { force: true }));
      owned.close();
    },
  };
}

/** Opens the lock file and takes its lock. @throws EmbeddedPostgresError */
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
        const owner = livingOwner(layout);
        if (owner === undefined && attempt < attemptsMax) continue;
        throw new FolderInUseError(inUseLine(layout, owner), { cause: error });
      }
      if ((result === sqliteNotADatabase || result === sqliteCorrupt) && attempt < attemptsMax) {
        // Only the lock on the file matters, and no one has it, or its content would not have been looked at.
        tryTo(() => truncateSync(layout.lockFile));
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

function inUseLine(layout: Layout, owner: number | undefined): string {
  const process = owner === undefined ? '' : ` (process ${owner})`;
  return `The data folder ${layout.folder} is in use by another running Classledger${process}.`;
}

/** The process that has the lock, as far as it says so. */
function livingOwner(layout: Layout): number | undefined {
  let owner: number | undefined;
  tryTo(() => {
    const pid = Number(readFileSync(layout.ownerFile, 'utf8'));
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) owner = pid;
  });
  return owner;
}

/** SQLite's primary result code. */
function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** For the owner file, which serves a message only: failing to write or read it is never a reason to stop. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // See above.
  }
}
