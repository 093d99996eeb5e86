import { ApiFailure } from '../../../api/api-failure.ts';

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

interface Server {
  /** The class's newest closed term; null while it has none. */
  readonly latest: (classId: number) => Promise<ClosedTerm | null>;
  readonly close: (classId: number) => Promise<ClosedTerm>;
}

/**
 * Closes the terms of several classes, one after the other; one that fails fails alone. Closing twice would add an
 * empty term, and an answer may get lost after the term was closed. So the newest closed term is known beforehand,
 * and where there is a newer one the class is done.
 */
export class TermCloser {
  readonly #server: Server;
  /** The newest closed term of each class before this one was to be closed. */
  readonly #before = new Map<number, number | null>();

  constructor(server: Server) {
    this.#server = server;
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
    const latest = await this.#server.latest(classId);
    const before = this.#before.get(classId);
    if (before === undefined) this.#before.set(classId, latest?.id ?? null);
    else if (latest && latest.id !== before) return latest;
    try {
      return await this.#server.close(classId);
    } catch (error) {
      const refused = error instanceof ApiFailure && error.status < 500;
      const after = refused ? null : await this.#server.latest(classId).catch(() => null);
      if (after && after.id !== this.#before.get(classId)) return after;
      throw error;
    }
  }
}
