import type { CallOptions } from './call.ts';

interface Page {
  readonly list: readonly unknown[];
  readonly nextCursor?: string | null;
}

const limit = 100;

/** Reads the page after a cursor; an empty cursor means the first page. */
export const readPage = (
  query: object,
  after: string,
  options: CallOptions,
  read: (query: object, options: CallOptions) => Promise<unknown>,
): Promise<unknown> => read({ ...query, after, limit }, options);

/** Requests the next page only when the caller has taken the entries of the last one. */
export async function* readPages<T>(
  query: object,
  options: CallOptions,
  read: (query: object, options: CallOptions) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  for (let after = ''; ; ) {
    const { list, nextCursor } = (await readPage(query, after, options, read)) as Page;
    yield* list as readonly T[];
    if (!nextCursor) return;
    after = nextCursor;
  }
}
