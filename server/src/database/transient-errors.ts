import pg from 'pg';
import type { QueueRefusal } from '../concurrency/fair-queue.ts';

/** No connection could be opened, or the connection broke. A write in progress may or may not have been committed. */
export class DatabaseLostError extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
    this.name = 'DatabaseLostError';
  }
}

/** Too many callers wait for the database. Nothing was executed. */
export class DatabaseBusyError extends Error {
  constructor(why: QueueRefusal) {
    super(
      why === 'full' ? 'Too many requests wait for the database' : 'No database connection was free in time',
    );
  }
}

export const databaseBusy = (why: QueueRefusal) => new DatabaseBusyError(why);

/**
 * A temporary problem that the statement did not cause. `unreachable`: starting, stopping or out of connections, too.
 * `unwritable`: full, read-only or without its disk. `locked`: lock timeout or lost conflict. `busy`: too many callers.
 */
export type TransientErrorKind = 'unreachable' | 'unwritable' | 'locked' | 'too slow' | 'busy';

/** By SQLSTATE, or by its first two characters (its class). */
const kinds: Readonly<Record<string, TransientErrorKind>> = {
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P04': 'unreachable',
  '57P05': 'unreachable',
  '25P03': 'unreachable',
  '53300': 'unreachable',
  '53': 'unwritable',
  '58': 'unwritable',
  '25006': 'unwritable',
  '55P03': 'locked',
  '40001': 'locked',
  '40P01': 'locked',
  '57014': 'too slow',
};

const causesMax = 5;

/** Returns the kind of the first transient error among an error and its causes, or null. */
export function transientErrorKind(error: unknown): TransientErrorKind | null {
  let cause = error;
  for (let depth = 0; depth < causesMax && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof DatabaseBusyError) return 'busy';
    if (cause instanceof DatabaseLostError) return 'unreachable';
    if (cause instanceof pg.DatabaseError && cause.code) {
      return kinds[cause.code] ?? kinds[cause.code.slice(0, 2)] ?? null;
    }
  }
  return null;
}
