import { sql } from 'kysely';
import type { Database, Queryable } from './connect.ts';

/** All processes receive access changes on this channel. */
export const accessChannel = 'classledger_access';

const givenBy = new WeakMap<Queryable, string[]>();

type Tell = (notice: string) => unknown;

const listeners = new WeakMap<Database, Tell[]>();

/**
 * Calls `tell` with each distinct notice of a transaction on `db` after its end; `inTransaction` waits for the calls.
 * Returns a function that removes the listener.
 */
export function onNotice(db: Database, tell: Tell): () => void {
  listeners.set(db, [...(listeners.get(db) ?? []), tell]);
  return () => listeners.set(db, listeners.get(db)?.filter((each) => each !== tell) ?? []);
}

/**
 * Announces a change at the commit of a transaction of `inTransaction`. PostgreSQL notifies all processes. This process
 * also informs its own listeners directly, so that its next request sees the change even without notifications.
 */
export async function giveNotice(tx: Queryable, notice: string): Promise<void> {
  const given = givenBy.get(tx);
  if (!given) throw new Error('Only a transaction of inTransaction gives notice');
  given.push(notice);
  await sql`SELECT pg_notify(${accessChannel}, ${notice})`.execute(tx);
}

/** Allows a transaction to give notices, and returns the growing list of them; for `inTransaction`. */
export function letGiveNotice(tx: Queryable): readonly string[] {
  const given: string[] = [];
  givenBy.set(tx, given);
  return given;
}

/** Informs the listeners after a transaction, even after an error, because the commit may have succeeded. */
export async function tellNotices(given: readonly string[], db: Database): Promise<void> {
  if (given.length === 0) return;
  const told = [...new Set(given)].flatMap((notice) => listeners.get(db)?.map((tell) => tell(notice)) ?? []);
  await Promise.all(told);
}
