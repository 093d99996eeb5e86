import { FairQueue } from '../../../concurrency/fair-queue.ts';
import { isLockTimeout, isRetryable, type RunStatement, settleAll } from '../../../database/transaction.ts';
import { DatabaseLostError } from '../../../database/transient-errors.ts';
import { termStarts } from '../../terms/read-terms.ts';
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
/** Keeps the categories usable until the commit. */
const lockCategoriesSql = `
  SELECT id FROM category WHERE school_id = $1 AND id = ANY($2::bigint[]) AND retired_at IS NULL
  ORDER BY id FOR SHARE`;
const byId = lockStatements('id = ANY($2::bigint[])');
const byIdOrName = lockStatements('(id = ANY($2::bigint[]) OR username = ANY($3::text[]))');
const byAny = lockStatements(
  `(id = ANY($2::bigint[]) OR username = ANY($3::text[]) OR external_id = ANY($4::text[])
      OR card_number = ANY($5::text[]))`,
  ', external_id AS "externalId", card_number AS "cardNumber"',
);

/** Locks students, then classes, then categories, each by id, like all code that changes totals, so later updates never wait. */
export async function lockStudents(
  run: RunStatement,
  schoolId: number,
  needs: BatchNeeds,
): Promise<Pick<LedgerState, 'students' | 'termStarts' | 'usableCategories'>> {
  const [locking, values] = lockStatementsFor(schoolId, needs);
  const [students, classes, terms, categories] = await settleAll([
    run<Omit<LockedStudent, 'gradeId' | 'archived'>>(locking.students, values),
    run<{ id: number; gradeId: number; archived: boolean }>(locking.classes, values),
    // The lock of a class also keeps the term of the class from ending.
    needs.terms ? run<{ classId: number; startedAt: string }>(locking.terms, values) : [],
    needs.categoryIds.length > 0 ? run<{ id: number }>(lockCategoriesSql, [schoolId, needs.categoryIds]) : [],
  ] as const);
  const classOf = new Map(classes.map((found) => [found.id, found]));
  return {
    students: students.map((student) => {
      const { gradeId = null, archived = false } = classOf.get(student.classId) ?? {};
      return { ...student, gradeId, archived };
    }),
    usableCategories: new Set(categories.map(({ id }) => id)),
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

/** Lock timeout, in milliseconds, of a transaction with several writes. The school's other writes wait meanwhile. */
export const sharedLockWaitMs = 300;
const singleLockWaitMs = 50;
/** Runs writes in one transaction and settles each. Returns the error when PostgreSQL rolls back; never throws. */
export type RunBatch<W> = (works: readonly W[], lockWaitMs: number) => Promise<Error | null>;

const isConnectionLost = ({ cause }: Error) => cause instanceof DatabaseLostError;

/** Keeps writes that share a transaction from blocking each other. */
export class LockPolicy {
  readonly #blocked: FairQueue;
  readonly #blockedWaitMs: number;

  /** @param blockedMax how many writes wait outside the queue at once @param blockedWaitMs their lock timeout */
  constructor(blockedMax = 3, blockedWaitMs = 10_000) {
    this.#blocked = new FairQueue({ concurrency: blockedMax });
    this.#blockedWaitMs = blockedWaitMs;
  }

  /**
   * Retries a rolled-back batch as a whole, then write by write, unless the connection is lost. Never throws.
   * A write whose rows stay locked waits outside the queue, and the caller does not wait for it.
   */
  async retry<W extends { reject(error: Error): void }>(
    batch: readonly W[],
    error: Error,
    attempt: RunBatch<W>,
  ): Promise<void> {
    const last = isRetryable(error.cause) ? await attempt(batch, sharedLockWaitMs) : error;
    if (!last) return;
    for (const work of batch) {
      const own =
        batch.length === 1 || isConnectionLost(last) ? last : await attempt([work], singleLockWaitMs);
      if (own && isLockTimeout(own.cause)) void this.#waitAlone(work, attempt);
      else if (own) work.reject(own);
    }
  }

  async #waitAlone<W extends { reject(error: Error): void }>(work: W, attempt: RunBatch<W>): Promise<void> {
    const deadline = performance.now() + this.#blockedWaitMs;
    await this.#blocked.run([''], async () => {
      const error = await attempt([work], Math.max(singleLockWaitMs, deadline - performance.now()));
      if (error) work.reject(error);
    });
  }
}
