import { CompiledQuery } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Database, Queryable, Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import {
  claimKeys,
  findReplay,
  type KeyClaim,
  type Replayed,
  type Run,
  storeAnswers,
} from './idempotency-keys.ts';

/** Lets the statements of idempotency keys run on a database or in a transaction. */
export const runOn =
  (db: Queryable): Run =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/**
 * Does a piece of work exactly once per idempotency key. The effect and the answer commit together; work that
 * throws leaves no trace, and the key unused. Without a key the work is simply done in a transaction.
 *
 * @param prepare what is costly and has no effect, such as hashing passwords; outside the transaction
 */
export async function once<P, T>(
  db: Database,
  key: KeyClaim | null,
  at: Date,
  prepare: () => Promise<P>,
  work: (tx: Transaction, prepared: P) => Promise<T>,
): Promise<T | Replayed> {
  if (!key) {
    const prepared = await prepare();
    return inTransaction(db, (tx) => work(tx, prepared));
  }
  const earlier = await findReplay(runOn(db), key);
  if (earlier) return earlier;
  const prepared = await prepare();
  try {
    return await inTransaction(db, async (tx) => {
      const [claimed] = await claimKeys(runOn(tx), key.schoolId, [key]);
      if (claimed instanceof Error) throw claimed;
      if (claimed) return claimed;
      const data = await work(tx, prepared);
      await storeAnswers(runOn(tx), key.schoolId, [{ claim: key, data }], at);
      return data;
    });
  } catch (error) {
    // Another process may have committed the first of this key after the look-up above: then the work was refused
    // over the effect that it was asked to have, for example over a record that is revoked already.
    if (!(error instanceof AppError)) throw error;
    const done = await findReplay(runOn(db), key);
    if (done) return done;
    throw error;
  }
}
