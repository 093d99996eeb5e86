import { sql } from 'kysely';
import type { Database, Queryable } from './connect.ts';

/** All processes receive access changes on this channel. */
export const accessChannel = 'classledger_access';

const noticesOf = new WeakMap<Queryable, string[]>();

type NoticeListener = (notice: string) => unknown;

const listeners = new WeakMap<Database, NoticeListener[]>();

/** Calls `listener` once per distinct notice after each transaction's end. @returns a function that removes it */
export function onNotice(db: Database, listener: NoticeListener): () => void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener]);
  return () => listeners.set(db, listeners.get(db)?.filter((each) => each !== listener) ?? []);
}

/** Notifies all processes at the commit, and this process directly, so that its next request sees the change. */
export async function notifyAtCommit(tx: Queryable, notice: string): Promise<void> {
  const notices = noticesOf.get(tx);
  if (!notices) throw new Error('Run this in inTransaction: other transactions send no notices');
  notices.push(notice);
  await sql`SELECT pg_notify(${accessChannel}, ${notice})`.execute(tx);
}

/** Lets a transaction send notices, and returns the list to which they are added. For `inTransaction`. */
export function collectNotices(tx: Queryable): readonly string[] {
  const notices: string[] = [];
  noticesOf.set(tx, notices);
  return notices;
}

/** Informs the listeners after a transaction, even after an error, because the commit may have succeeded. */
export async function deliverNotices(notices: readonly string[], db: Database): Promise<void> {
  if (notices.length === 0) return;
  const deliveries = [...new Set(notices)].flatMap(
    (notice) => listeners.get(db)?.map((tell) => tell(notice)) ?? [],
  );
  await Promise.all(deliveries);
}
