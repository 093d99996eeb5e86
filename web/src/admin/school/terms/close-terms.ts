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

/** Closes terms one by one. Each class keeps its key, so that a retry after a lost answer closes no second term. */
export class TermCloser {
  readonly #close: CloseTerm;
  readonly #keys = new Map<number, string>();

  constructor(close: CloseTerm) {
    this.#close = close;
  }

  /** Closes the terms. Call it again for classes that failed. */
  async closeAll(
    classIds: readonly number[],
    onProgress: (classId: number, progress: ClosingProgress) => void,
  ): Promise<void> {
    for (const id of classIds) onProgress(id, { state: 'waiting' });
    for (const id of classIds) {
      onProgress(id, { state: 'running' });
      try {
        onProgress(id, { state: 'done', term: await this.#closeOne(id) });
      } catch (error) {
        onProgress(id, { state: 'failed', error });
      }
    }
  }

  async #closeOne(classId: number): Promise<ClosedTerm> {
    const key = this.#keys.get(classId) ?? newIdempotencyKey();
    this.#keys.set(classId, key);
    try {
      return await this.#close(classId, key);
    } catch (error) {
      if (error instanceof ApiFailure && error.status < 500) throw error;
      // The server may already have closed the term; then the retry returns the first answer.
      return this.#close(classId, key);
    }
  }
}

/** Half of a school year, which begins in September. */
export interface SchoolYearHalf {
  readonly half: 'first' | 'second';
  readonly startYear: number;
}

/** Returns the half of the school year that ends around a day: the first one from September to February. */
export function schoolYearHalfOf(day: string): SchoolYearHalf {
  const [year = 0, month = 0] = day.split('-').map(Number);
  if (month >= 9) return { half: 'first', startYear: year };
  if (month <= 2) return { half: 'first', startYear: year - 1 };
  return { half: 'second', startYear: year - 1 };
}
