import pg from 'pg';
import type { Database, Transaction } from './connect.ts';
import { letGiveNotice, tellNotices } from './notices.ts';

const attemptsMax = 5;

/** Deadlock or serialisation failure: PostgreSQL undid everything, and doing it again is right. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/**
 * True for an error of COMMIT after which the transaction is known to be undone: a constraint, PostgreSQL's own choice, or
 * a trigger that raises it. All others may come from a server or node that was lost with the answer: ended, crashed over
 * its disk, or told of by a pooler. Whether the session survived cannot be asked: `severity` is translated.
 */
export function isKnownUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(23|40(?!003)|P0)/.test(error.code ?? '');
}

/** True where a statement waited for a lock for as long as `lock_timeout` lets it. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/**
 * The name of the unique constraint that a write ran into, or null for any other error. Where the data is distributed,
 * a node tells it in the message alone, with the number of its shard behind.
 */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return null;
  return (error.constraint ?? /"([^"]+)"/.exec(error.message)?.[1] ?? '').replace(/_\d+$/, '');
}

/** True where a row that the write refers to is gone, or a row to delete is still referred to. */
export function violatesForeignKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503';
}

/**
 * Runs a rule in one READ COMMITTED transaction and commits it; any error undoes all of it.
 * A deadlock is retried, so the rule must have no effect outside the database.
 */
export async function inTransaction<T>(db: Database, rule: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let notices: readonly string[] = [];
    try {
      return await db.transaction().execute((tx) => {
        notices = letGiveNotice(tx);
        return rule(tx);
      });
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error;
    } finally {
      await tellNotices(notices, db);
    }
  }
}

/** Runs one statement that is given as text; every value in it is a parameter. */
export type Run = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Waits for all of several statements that were sent together on one connection, so that none is left behind on it.
 *
 * @throws what the first of them that failed, in the order given, failed with: the others fail because of it
 */
export async function together<T extends readonly unknown[]>(statements: T) {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
