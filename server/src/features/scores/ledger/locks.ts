import { FairQueue } from '../../../concurrency/fair-queue.ts';
import { isLockTimeout, isRetryable, type RunStatement, settleAll } from '../../../database/transaction.ts';
import { DatabaseLostError } from '../../../database/trouble.ts';
import { termStarts } from '../../terms/term-starts.ts';
import type { BatchNeeds, LedgerState, LockedStudent } from './plan.ts';

/** Decides which rows score writes lock, in which order and for how long, and retries writes that wait for a lock. */

const lockStatements = (condition: string, more = '') => {
  const classesOfStudents = `school_id = $1 AND id IN (SELECT class_id FROM student WHERE school_id = $1 AND ${condition})`;
  return {
    students: `
    SELECT id, username, class_id AS "classId", erased_at IS NOT NULL AS erased${more} FROM student
    WHERE school_id = $1 AND ${condition}
    ORDER BY id FOR NO KEY UPDATE`,
    classes: `
    SELECT id, grade_id AS "gradeId", archived FROM class
    WHERE ${classesOfStudents}
    ORDER BY id FOR NO KEY UPDATE`,
    terms: termStarts(classesOfStudents),
  };
};
const byId = lockStatements('id = ANY($2::bigint[])');
const byIdOrName = lockStatements('(id = ANY($2::bigint[]) OR username = ANY($3::text[]))');
const byAny = lockStatements(
  `(id = ANY($2::bigint[]) OR username = ANY($3::text[]) OR external_id = ANY($4::text[])
      OR card_number = ANY($5::text[]))`,
  ', external_id AS "externalId", card_number AS "cardNumber"',
);

/** Locks students, then classes, each by id, as every move of totals does. No later update of the transaction waits. */
export async function lockStudents(
  run: RunStatement,
  schoolId: number,
  needs: BatchNeeds,
): Promise<Pick<LedgerState, 'students' | 'termStarts'>> {
  const [locking, values] = lockStatementsFor(schoolId, needs);
  const [students, classes, terms] = await settleAll([
    run<Omit<LockedStudent, 'gradeId' | 'archived'>>(locking.students, values),
    run<{ id: number; gradeId: number; archived: boolean }>(locking.classes, values),
    // While its class is locked, a term cannot end.
    needs.terms ? run<{ classId: number; startedAt: string }>(locking.terms, values) : [],
  ] as const);
  const classOf = new Map(classes.map((found) => [found.id, found]));
  return {
    students: students.map((student) => {
      const { gradeId = null, archived = false } = classOf.get(student.classId) ?? {};
      return { ...student, gradeId, archived };
    }),
    termStarts: new Map(terms.map(({ classId, startedAt }) => [classId, startedAt])),
  };
}

function lockStatementsFor(schoolId: number, { ids, usernames, externalIds, cardNumbers }: BatchNeeds) {
  if (externalIds.length + cardNumbers.length > 0) {
    return [byAny, [schoolId, ids, usernames, externalIds, cardNumbers]] as const;
  }
  return usernames.length > 0
    ? ([byIdOrName, [schoolId, ids, usernames]] as const)
    : ([byId, [schoolId, ids]] as const);
}

/** Lock wait of a shared transaction, in milliseconds, for which the school's queue stands still. */
export const sharedWaitMs = 300;
const singleWaitMs = 50;
/** Runs and settles writes in one transaction. Returns the error when PostgreSQL rolled it back; never throws. */
export type RunBatch<W> = (works: readonly W[], lockWaitMs: number) => Promise<Error | null>;

const isConnectionLost = ({ cause }: Error) => cause instanceof DatabaseLostError;

/** Keeps writes that share a transaction from blocking each other. */
export class LockPolicy {
  readonly #blocked: FairQueue;
  readonly #blockedWaitMs: number;

  /** @param blockedMax writes that wait beside the queue at once @param blockedWaitMs how long one of them waits */
  constructor(blockedMax = 3, blockedWaitMs = 10_000) {
    this.#blocked = new FairQueue({ atOnce: blockedMax });
    this.#blockedWaitMs = blockedWaitMs;
  }

  /**
   * Retries a rolled-back batch, whole or write by write, unless the connection is lost. Never throws.
   * A write whose rows stay locked waits beside the queue, and the caller does not wait for it.
   */
  async retry<W extends { reject(error: Error): void }>(
    batch: readonly W[],
    error: Error,
    attempt: RunBatch<W>,
  ): Promise<void> {
    const last = isRetryable(error.cause) ? await attempt(batch, sharedWaitMs) : error;
    if (!last) return;
    for (const work of batch) {
      const own = batch.length === 1 || isConnectionLost(last) ? last : await attempt([work], singleWaitMs);
      if (own && isLockTimeout(own.cause)) void this.#waitAlone(work, attempt);
      else if (own) work.reject(own);
    }
  }

  async #waitAlone<W extends { reject(error: Error): void }>(work: W, attempt: RunBatch<W>): Promise<void> {
    const deadline = performance.now() + this.#blockedWaitMs;
    await this.#blocked.run([''], async () => {
      const error = await attempt([work], Math.max(singleWaitMs, deadline - performance.now()));
      if (error) work.reject(error);
    });
  }
}
