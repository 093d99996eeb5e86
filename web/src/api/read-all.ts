import { limits } from 'virtual:contract';
import { callList, type Page } from './call.ts';
import type { InputArguments, InputOf, ListId, RowOf } from './operation-types.ts';

/** What happens while a long list is read. */
export interface ReadingOptions {
  /** How many were read, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Ends the reading, which throws then. */
  readonly signal?: AbortSignal;
}

/** A list that was read page by page. */
export interface WholeList<Row> {
  readonly rows: readonly Row[];
  /** How many entries could not be caught, because the list changed all the time. */
  readonly missing: number;
}

const readingsMax = 3;

/**
 * Reads all pages of a list while others change it. What comes on two pages is there once. Where entries went away
 * meanwhile, those behind them moved to pages that were read already: these are read again. Where the order itself
 * changed, the whole is. Entries that are new since the beginning may lack.
 *
 * @param readPage asks for one page, counted from 1
 */
export async function readAll<Row extends { readonly id: number }>(
  readPage: (page: number, limit: number) => Promise<Page<Row>>,
  options: ReadingOptions = {},
  limit: number = limits.internalPageSizeMax,
): Promise<WholeList<Row>> {
  for (let reading = 1; ; reading += 1) {
    const { found, leastTotal } = await readOnce(readPage, options, limit);
    const missing = Math.max(0, leastTotal - found.size);
    if (missing === 0 || reading === readingsMax) return { rows: [...found.values()], missing };
  }
}

/** Reads all pages of a list of the API; see {@link readAll}. */
export function readWholeList<I extends ListId>(
  id: RowOf<I> extends { readonly id: number } ? I : never,
  query: InputOf<I> extends { readonly query?: infer Query } ? NonNullable<Query> : never,
  options: ReadingOptions = {},
): Promise<WholeList<RowOf<I>>> {
  const { signal } = options;
  const readPage = (page: number, limit: number) => {
    const input = { query: { ...query, page, limit }, ...(signal && { signal }) };
    return callList<I>(id, ...([input] as unknown as InputArguments<I>));
  };
  return readAll(
    readPage as (page: number, limit: number) => Promise<Page<RowOf<I> & { id: number }>>,
    options,
  );
}

async function readOnce<Row extends { readonly id: number }>(
  readPage: (page: number, limit: number) => Promise<Page<Row>>,
  { onProgress, signal }: ReadingOptions,
  limit: number,
) {
  const found = new Map<number, Row>();
  let before = 0;
  let leastTotal = Number.POSITIVE_INFINITY;
  for (let page = 1; ; ) {
    signal?.throwIfAborted();
    const { rows, total } = await readPage(page, limit);
    const gone = before - total;
    before = total;
    leastTotal = Math.min(leastTotal, total);
    if (gone > 0 && page > 1) {
      page = Math.max(1, page - Math.ceil(gone / limit));
      continue;
    }
    for (const row of rows) found.set(row.id, row);
    onProgress?.(Math.min(found.size, total), total);
    if (rows.length < limit || page * limit >= total) return { found, leastTotal };
    page += 1;
  }
}
