import type { SchoolData } from '../access/school-data.ts';
import type { Run } from '../database/transaction.ts';
import { claimKeys, findReplay, type KeyClaim, type Replayed, storeAnswers } from './idempotency-keys.ts';

/** A call that may carry a key. */
export interface KeyedCall {
  readonly data: SchoolData;
  readonly at: Date;
  readonly key: KeyClaim | null;
}

/**
 * Does a piece of work in a transaction, exactly once per idempotency key. The effect and the answer commit together;
 * work that throws leaves no trace, and the key unused.
 */
export function once<T>(
  { data, key, at }: KeyedCall,
  work: (own: SchoolData) => Promise<T>,
): Promise<T | Replayed> {
  return data.transaction(async (own) => {
    if (!key) return work(own);
    const run: Run = (text, values) => own.run(text, values);
    const [claimed] = await claimKeys(run, key.schoolId, [key]);
    if (claimed instanceof Error) throw claimed;
    if (claimed) return claimed;
    const answer = await work(own);
    await storeAnswers(run, key.schoolId, [{ claim: key, data: answer }], at);
    return answer;
  });
}

/**
 * The same for work that is prepared at a cost outside of its transaction, as by hashing passwords: not for a key that
 * has its answer.
 */
export async function oncePrepared<P, T>(
  call: KeyedCall,
  prepare: () => Promise<P>,
  work: (own: SchoolData, prepared: P) => Promise<T>,
): Promise<T | Replayed> {
  const earlier = call.key && (await findReplay(call.data, call.key));
  if (earlier) return earlier;
  const prepared = await prepare();
  return once(call, (own) => work(own, prepared));
}
