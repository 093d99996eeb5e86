import type { ClassSummary, Term } from '@classledger/contract';
import { ApiFailure } from '../../../api/api-failure.ts';
import { newIdempotencyKey } from '../../../api/call.ts';

export interface TermClosing {
  readonly classes: readonly ClassSummary[];
  readonly action: Term['action'];
  readonly name: string;
}

export interface ClosedTerm {
  readonly id: number;
  readonly students: number;
  readonly records: number;
}

export type ClosingProgress =
  | { readonly state: 'waiting' | 'running' }
  | { readonly state: 'done'; readonly term: ClosedTerm }
  | { readonly state: 'failed'; readonly error: unknown };

/** Closes the term of a class. The server does so only once for each key. */
type CloseTerm = (classId: number, idempotencyKey: string) => Promise<ClosedTerm>;

/**
 * Returns a function that closes terms one by one; call it again for classes that failed. Each class keeps its key, so
 * that a retry after a lost answer closes no second term.
 */
export function termCloser(close: CloseTerm) {
  const keys = new Map<number, string>();
  const closeOne = async (classId: number) => {
    const key = keys.get(classId) ?? newIdempotencyKey();
    keys.set(classId, key);
    try {
      return await close(classId, key);
    } catch (error) {
      if (error instanceof ApiFailure && error.status < 500) throw error;
      // The server may already have closed the term; then the retry returns the first answer.
      return close(classId, key);
    }
  };
  return async (
    classIds: readonly number[],
    onProgress: (classId: number, progress: ClosingProgress) => void,
  ): Promise<void> => {
    for (const id of classIds) onProgress(id, { state: 'waiting' });
    for (const id of classIds) {
      onProgress(id, { state: 'running' });
      try {
        onProgress(id, { state: 'done', term: await closeOne(id) });
      } catch (error) {
        onProgress(id, { state: 'failed', error });
      }
    }
  };
}

/** Returns the half of the school year that ends around a day. The year begins in September, its second half in March. */
export function schoolYearHalfOf(day: string) {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const half = month >= 9 || month <= 2 ? 'first' : 'second';
  return { half, startYear: month >= 9 ? year : year - 1 } as const;
}
