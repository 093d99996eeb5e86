import type { CallOptions } from './call.ts';

interface Page {
  readonly list: readonly unknown[];
  readonly nextCursor?: string | null;
}

/** As many as a page may hold. */
const limit = 100;

/** Reads a list to its end by cursors, one page after the other as its entries are taken. */
export async function* readPages<T>(
  query: object,
  options: CallOptions,
  read: (query: object, options: CallOptions) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  for (let after: string | null | undefined = ''; ; ) {
    const { list, nextCursor } = (await read({ ...query, after, limit }, options)) as Page;
    yield* list as readonly T[];
    if (!nextCursor) return;
    after = nextCursor;
  }
}
