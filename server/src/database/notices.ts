import { sql } from 'kysely';
import type { Database, Queryable } from './connect.ts';

/** Where every process hears of changes that decide about credentials. */
export const accessChannel = 'classledger_access';

/** What open transactions have given notice of. */
const givenBy = new WeakMap<Queryable, string[]>();

type Tell = (notice: string) => unknown;

const listeners = new WeakMap<Database, Tell[]>();

/**
 * Calls back for every notice of a transaction on `db`, once it has ended. Its end is answered when all have returned.
 *
 * @returns ends that
 */
export function onNotice(db: Database, tell: Tell): () => void {
  listeners.set(db, [...(listeners.get(db) ?? []), tell]);
  return () => listeners.set(db, listeners.get(db)?.filter((each) => each !== tell) ?? []);
}

/**
 * Gives notice with the commit of a transaction of `inTransaction`: to all processes by a notification, to this one
 * directly, so that what it promises of its next call needs no notification.
 */
export async function giveNotice(tx: Queryable, notice: string): Promise<void> {
  const given = givenBy.get(tx);
  if (!given) throw new Error('Only a transaction of inTransaction gives notice');
  given.push(notice);
  await sql`SELECT pg_notify(${accessChannel}, ${notice})`.execute(tx);
}

/** For `inTransaction`: from now on the transaction may give notice. @returns the notices that it will have given */
export function letGiveNotice(tx: Queryable): readonly string[] {
  const given: string[] = [];
  givenBy.set(tx, given);
  return given;
}

/** For `inTransaction`: a transaction has ended. One that was undone is told of, too, since no end is certain. */
export async function tellNotices(given: readonly string[], db: Database): Promise<void> {
  if (given.length === 0) return;
  const told = [...new Set(given)].flatMap((notice) => listeners.get(db)?.map((tell) => tell(notice)) ?? []);
  await Promise.all(told);
}
