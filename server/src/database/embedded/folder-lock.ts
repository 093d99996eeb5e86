import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError, errorText } from './embedded-postgres-error.ts';
import type { Layout } from './layout.ts';
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
const CONTENTION_MS = 150;

const SQLITE_BUSY = 5;

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
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(layout.lockFile, { timeout: CONTENTION_MS });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isBusy(error)) throw new EmbeddedPostgresError(inUseLine(layout), { cause: error });
    throw new EmbeddedPostgresError(
      `The data folder ${layout.folder} cannot be locked (is it writable for this user?): ${errorText(error)}`,
      { cause: error },
    );
  }
  const owned = database;
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

function inUseLine(layout: Layout): string {
  let owner = '';
  tryTo(() => {
    const pid = Number(readFileSync(layout.ownerFile, 'utf8'));
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) owner = ` (process ${pid})`;
  });
  return `The data folder ${layout.folder} is in use by another running Classledger${owner}.`;
}

function isBusy(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  // The low byte is the primary code; extended busy codes only differ above it.
  return typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY;
}

/** For the owner file, which serves a message only: failing to write or read it is never a reason to stop. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // See above.
  }
}

/**
 * Loads SQLite without the "experimental feature" warning that earlier releases of Node 24 print for it.
 * Everything here is synchronous, so no other warning of the program can fall into the gap.
 */
function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (/sqlite/i.test(String(warning))) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
