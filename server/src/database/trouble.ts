import pg from 'pg';

/** No connection could be had, or the one in use was lost: a write under way was done, or was not. */
export class DatabaseLostError extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
    this.name = 'DatabaseLostError';
  }
}

/** The database is there, and too many want something of it at once. Nothing was done. */
export class DatabaseBusyError extends Error {}

/**
 * What may be wrong with the database for a while, through no fault of a statement:
 *
 * - `away`: it does not answer, starts, stops or takes no more connections;
 * - `unwritable`: it is full, read-only or cannot use its disk;
 * - `locked`: someone else kept a row for longer than a caller should wait;
 * - `too slow`: the statement took longer than it may;
 * - `busy`: too many wait for their turn.
 */
export type Trouble = 'away' | 'unwritable' | 'locked' | 'too slow' | 'busy';

/** By SQLSTATE, or by its class. */
const troubles: Readonly<Record<string, Trouble>> = {
  '08': 'away',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P04': 'away',
  '57P05': 'away',
  '25P03': 'away',
  '53300': 'away',
  '53': 'unwritable',
  '58': 'unwritable',
  '25006': 'unwritable',
  '55P03': 'locked',
  '40001': 'locked',
  '40P01': 'locked',
  '57014': 'too slow',
};

const causesMax = 5;

/** @returns the trouble behind an error or its causes; null for an error that has another reason */
export function troubleOf(error: unknown): Trouble | null {
  let cause = error;
  for (let depth = 0; depth < causesMax && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof DatabaseBusyError) return 'busy';
    if (cause instanceof DatabaseLostError) return 'away';
    if (cause instanceof pg.DatabaseError && cause.code) {
      return troubles[cause.code] ?? troubles[cause.code.slice(0, 2)] ?? null;
    }
  }
  return null;
}
