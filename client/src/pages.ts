import type { CallOptions } from './call.ts';

interface Page {
  readonly list: readonly unknown[];
  readonly nextCursor?: string | null;
}

/** As many as a page may hold. */
const limit = 100;

/** Reads the page of a list behind a cursor; behind an empty one, the first. */
export const pageOf = (
  query: object,
  after: string,
  options: CallOptions,
  read: (query: object, options: CallOptions) => Promise<unknown>,
): Promise<unknown> => read({ ...query, after, limit }, options);

/** Reads a list to its end by cursors, one page after the other as its entries are taken. */
export async function* readPages<T>(
  query: object,
  options: CallOptions,
  read: (query: object, options: CallOptions) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  for (let after = ''; ; ) {
    const { list, nextCursor } = (await pageOf(query, after, options, read)) as Page;
    yield* list as readonly T[];
    if (!nextCursor) return;
    after = nextCursor;
  }
}
