import pg from 'pg';
import { type Database, query, type Transaction } from './connect.ts';

const attemptsMax = 5;

/**
 * Deadlock, serialisation failure, or an idempotency key that another process stored a moment ago: PostgreSQL
 * undid everything, and doing it again is right.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === '40P01' || error.code === '40001' || violatedUnique(error) === 'idempotency_key_pkey';
}

/** True where a statement waited for a lock for as long as `lock_timeout` lets it. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** The name of the unique constraint that a write ran into, or null for any other error. */
export function violatedUnique(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null;
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
    try {
      return await db.transaction().execute(rule);
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error;
    }
  }
}

/** Runs one statement that is given as text; every value in it is a parameter. */
export type Run = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Runs statements on a connection. */
export const runOnClient =
  (client: pg.ClientBase): Run =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await query(client, text, values)).rows as Row[];

/**
 * Waits for all of several statements that were sent together on one connection, so that none is left behind on it.
 *
 * @throws what the first of them that failed, in the order given, failed with: the others fail because of it
 */
export async function together<T extends readonly unknown[]>(statements: T) {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
