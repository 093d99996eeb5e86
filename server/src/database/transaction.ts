import type { Socket } from 'node:net';
import pg from 'pg';
import { type Database, query, type Transaction } from './connect.ts';
import { collectNotices, deliverNotices } from './notices.ts';

const attemptsMax = 5;

/** Returns true for a deadlock or a serialization failure. PostgreSQL has rolled back, so a retry is safe. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/** Returns true if an error of COMMIT proves a rollback. Other errors may come from a failure after the commit. */
export function isKnownRollback(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(23|40(?!003)|P0)/.test(error.code ?? '');
}

/** Returns true when a statement waited for a lock as long as `lock_timeout` allows. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** Returns the violated unique constraint. A node of Citus names it only in the message, with a shard number. */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return null;
  return (error.constraint ?? /"([^"]+)"/.exec(error.message)?.[1] ?? '').replace(/_\d+$/, '');
}

/** Returns true when a referenced row is missing, or a row to delete is still referenced. */
export function violatesForeignKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503';
}

/** Waits for a write. @throws `missing` when a referenced row is missing, `taken` when a unique value exists already */
export const translateViolations = <T>(write: Promise<T>, missing: Error, taken: Error): Promise<T> =>
  write.catch((error: unknown) => {
    if (violatesForeignKey(error)) throw missing;
    throw violatedUnique(error) === null ? error : taken;
  });

/** Runs a function in a READ COMMITTED transaction. Retries conflicts, so it must change only the database. */
export async function inTransaction<T>(db: Database, rule: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let notices: readonly string[] = [];
    try {
      return await db.transaction().execute((tx) => {
        notices = collectNotices(tx);
        return rule(tx);
      });
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error;
    } finally {
      await deliverNotices(notices, db);
    }
  }
}

export type RunStatement = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Waits until all statements of a transaction have ended. @throws the error that failed the transaction */
export async function settleAll<T extends readonly unknown[]>(statements: T) {
  const ends = await Promise.allSettled(statements);
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !followsFailure(error)) ?? errors[0];
  return Promise.all(statements);
}

/**
 * Returns true for a statement that PostgreSQL refused because an earlier one failed the transaction. A statement sent
 * later can stand earlier in the list: a claimed key reads which students were erased.
 */
const followsFailure = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25P02';

/** Returns a function that sends statements on a connection. pg sends them without waiting for earlier results. */
export function statementsOn(client: pg.ClientBase): RunStatement {
  return async <Row>(text: string, values: readonly unknown[]) =>
    (await query(client, text, values)).rows as Row[];
}

/** Runs synchronous work and sends everything that it writes to the connection in one system call. */
export function sendInOneWrite<T>(client: pg.ClientBase, work: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}
