import type { ClassSummary, Term } from '@classledger/contract';
import { ApiFailure } from '../../../api/api-failure.ts';
import { newIdempotencyKey } from '../../../api/call.ts';

/** What is going to be closed, and how. */
export interface Closing {
  readonly classes: readonly ClassSummary[];
  readonly action: Term['action'];
  readonly name: string;
}

/** A term that was closed. */
export interface ClosedTerm {
  readonly id: number;
  readonly students: number;
  readonly records: number;
}

/** How far it is with one class. */
export type Progress =
  | { readonly state: 'waiting' | 'running' }
  | { readonly state: 'done'; readonly term: ClosedTerm }
  | { readonly state: 'failed'; readonly error: unknown };

/** Closes the term of a class, once however often it is asked with the same key. */
type Close = (classId: number, idempotencyKey: string) => Promise<ClosedTerm>;

/**
 * Closes the terms of several classes, one after the other; one that fails fails alone. Closing twice would add an
 * empty term, and an answer may get lost after the term was closed: so each class keeps its key.
 */
export class TermCloser {
  readonly #close: Close;
  readonly #keys = new Map<number, string>();

  constructor(close: Close) {
    this.#close = close;
  }

  /** May be called again for those that failed. */
  async closeAll(
    classIds: readonly number[],
    onProgress: (classId: number, progress: Progress) => void,
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
      // It may be closed all the same: to ask again tells.
      return this.#close(classId, key);
    }
  }
}
