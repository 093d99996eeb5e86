import { atMost } from '../../../at-most.ts';
import { isLockTimeout, isRetryable, type Run, together } from '../../../database/transaction.ts';
import { DatabaseLostError } from '../../../database/trouble.ts';
import { termStarts } from '../../terms/term-starts.ts';
import type { Found, LockedStudent, Needs } from './plan.ts';

/**
 * Which rows score writes lock, in which order, how long they wait for one, and what happens to a write that someone
 * keeps waiting.
 */

/** The locking of students, and of the classes that they are in; since when these are in their term. */
const lockingOf = (condition: string, more = '') => {
  const ofThese = `school_id = $1 AND id IN (SELECT class_id FROM student WHERE school_id = $1 AND ${condition})`;
  return {
    students: `
    SELECT id, username, class_id AS "classId", erased_at IS NOT NULL AS erased${more} FROM student
    WHERE school_id = $1 AND ${condition}
    ORDER BY id FOR NO KEY UPDATE`,
    classes: `
    SELECT id, grade_id AS "gradeId", archived FROM class
    WHERE ${ofThese}
    ORDER BY id FOR NO KEY UPDATE`,
    terms: termStarts(ofThese),
  };
};
const byId = lockingOf('id = ANY($2::bigint[])');
const byIdOrName = lockingOf('(id = ANY($2::bigint[]) OR username = ANY($3::text[]))');
const byAny = lockingOf(
  `(id = ANY($2::bigint[]) OR username = ANY($3::text[]) OR external_id = ANY($4::text[])
      OR card_number = ANY($5::text[]))`,
  ', external_id AS "externalId", card_number AS "cardNumber"',
);

/**
 * Locks students and then their classes, each in the order of their ids, as every transaction that moves totals does.
 * After that no update can wait. The classes are looked up when the students are locked and stay where they are.
 */
export async function lockStudents(
  run: Run,
  schoolId: number,
  needs: Needs,
): Promise<Pick<Found, 'students' | 'termStarts'>> {
  const [locking, values] = lockingFor(schoolId, needs);
  const [students, classes, terms] = await together([
    run<Omit<LockedStudent, 'gradeId' | 'archived'>>(locking.students, values),
    run<{ id: number; gradeId: number; archived: boolean }>(locking.classes, values),
    // Under the lock of a class no term of it ends.
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

function lockingFor(schoolId: number, { ids, usernames, externalIds, cardNumbers }: Needs) {
  if (externalIds.length + cardNumbers.length > 0) {
    return [byAny, [schoolId, ids, usernames, externalIds, cardNumbers]] as const;
  }
  return usernames.length > 0
    ? ([byIdOrName, [schoolId, ids, usernames]] as const)
    : ([byId, [schoolId, ids]] as const);
}

/** How long the queue of a school stands still for a row that someone else has locked: a transaction, one write. */
export const sharedWaitMs = 300;
const singleWaitMs = 50;
/**
 * Does some works in one transaction that waits so long for each lock, and settles them; never throws.
 *
 * @returns the error when PostgreSQL undid the transaction, so that nothing is settled; null otherwise
 */
export type Attempt<W> = (works: readonly W[], lockWaitMs: number) => Promise<Error | null>;

const isLost = ({ cause }: Error) => cause instanceof DatabaseLostError;

/** Keeps works that share a transaction from holding each other up. */
export class LockPolicy {
  readonly #blocked: ReturnType<typeof atMost>;
  readonly #blockedWaitMs: number;

  /**
   * @param blockedMax so many writes wait at once beside the queue, each on a connection
   * @param blockedWaitMs how long each waits before it fails
   */
  constructor(blockedMax = 3, blockedWaitMs = 10_000) {
    this.#blocked = atMost(blockedMax);
    this.#blockedWaitMs = blockedWaitMs;
  }

  /**
   * Does a batch again that PostgreSQL has undone: whole after a deadlock, otherwise each work of it by itself. One whose
   * rows someone keeps locked goes on waiting alone, beside the queue, so that it holds up no one. Where the connection
   * was lost it fails: the next one may be lost as slowly.
   *
   * @param error why it was undone; it waited for locks for `sharedWaitMs`
   * @returns when every work is settled but those that wait beside the queue; never throws
   */
  async redo<W extends { reject(error: Error): void }>(
    batch: readonly W[],
    error: Error,
    attempt: Attempt<W>,
  ): Promise<void> {
    const last = isRetryable(error.cause) ? await attempt(batch, sharedWaitMs) : error;
    if (!last) return;
    for (const work of batch) {
      const own = batch.length === 1 || isLost(last) ? last : await attempt([work], singleWaitMs);
      if (own && isLockTimeout(own.cause)) void this.#waitAlone(work, attempt);
      else if (own) work.reject(own);
    }
  }

  async #waitAlone<W extends { reject(error: Error): void }>(work: W, attempt: Attempt<W>): Promise<void> {
    const deadline = performance.now() + this.#blockedWaitMs;
    await this.#blocked(async () => {
      const error = await attempt([work], Math.max(singleWaitMs, deadline - performance.now()));
      if (error) work.reject(error);
    });
  }
}
