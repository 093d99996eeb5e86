import { atMost } from '../../../at-most.ts';
import { isLockTimeout, type Run, together } from '../../../database/transaction.ts';
import type { LockedStudent, Needs } from './plan.ts';

/**
 * Which rows score writes lock, in which order, how long they wait for one, and what happens to a write that someone
 * keeps waiting.
 */

/** The locking of students, and of the classes that they are in. */
const lockingOf = (condition: string) => ({
  students: `
    SELECT id, username, class_id AS "classId", erased_at IS NOT NULL AS erased FROM student
    WHERE school_id = $1 AND ${condition}
    ORDER BY id FOR NO KEY UPDATE`,
  classes: `
    SELECT id, grade_id AS "gradeId" FROM class
    WHERE school_id = $1 AND id IN (SELECT class_id FROM student WHERE school_id = $1 AND ${condition})
    ORDER BY id FOR NO KEY UPDATE`,
});
const byId = lockingOf('id = ANY($2::bigint[])');
const byIdOrName = lockingOf('(id = ANY($2::bigint[]) OR username = ANY($3::text[]))');

/**
 * Locks students and then their classes, each in the order of their ids, as every transaction that moves totals does.
 * After that no update can wait. The classes are looked up when the students are locked and stay where they are.
 */
export async function lockStudents(
  run: Run,
  schoolId: number,
  { ids, usernames }: Needs,
): Promise<LockedStudent[]> {
  const [locking, values] =
    usernames.length === 0 ? [byId, [schoolId, ids]] : [byIdOrName, [schoolId, ids, usernames]];
  const [students, classes] = await together([
    run<Omit<LockedStudent, 'gradeId'>>(locking.students, values),
    run<{ id: number; gradeId: number }>(locking.classes, values),
  ] as const);
  const gradeOf = new Map(classes.map(({ id, gradeId }) => [id, gradeId]));
  return students.map((student) => ({ ...student, gradeId: gradeOf.get(student.classId) ?? null }));
}

/** How long the queue of a school stands still for a row that someone else has locked: a transaction, one write. */
const sharedWaitMs = 300;
const singleWaitMs = 50;
/** So many writes wait for rows at once, each on a connection; the pool has others left for those who need none. */
const blockedAtOnce = 3;

/**
 * Does some works in one transaction that waits so long for each lock, and settles them; never throws.
 *
 * @returns the error when PostgreSQL undid the transaction, so that nothing is settled; null otherwise
 */
export type Attempt<W> = (works: readonly W[], lockWaitMs: number) => Promise<Error | null>;

/** Keeps works that share a transaction from holding each other up. */
export class LockPolicy {
  readonly #blocked = atMost(blockedAtOnce);
  readonly #blockedWaitMs: number;

  /** @param blockedWaitMs how long a write waits for such a row beside the queue before it fails */
  constructor(blockedWaitMs = 10_000) {
    this.#blockedWaitMs = blockedWaitMs;
  }

  /**
   * Does a batch in one transaction. When that is undone, each work of it is done by itself; one whose rows someone
   * keeps locked goes on waiting alone, beside the queue, so that it holds up no one.
   *
   * @returns when every work is settled but those that wait beside the queue; never throws
   */
  async settle<W extends { reject(error: Error): void }>(
    batch: readonly W[],
    attempt: Attempt<W>,
  ): Promise<void> {
    const error = await attempt(batch, sharedWaitMs);
    if (!error) return;
    for (const work of batch) {
      const own = batch.length === 1 ? error : await attempt([work], singleWaitMs);
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
