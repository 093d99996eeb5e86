import { limits } from 'virtual:contract';
import { callList, type Page } from './call.ts';
import type { InputArguments, InputOf, ListId, RowOf } from './operation-types.ts';

export interface ReadingOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface WholeList<Row> {
  readonly rows: readonly Row[];
  readonly missing: number;
}

const attemptsMax = 3;

/**
 * Reads all pages without duplicates. If deletions hid rows, reads again, at most three times in all.
 * Rows added meanwhile may be missing.
 */
export async function readAll<Row extends { readonly id: number }>(
  readPage: (page: number, limit: number) => Promise<Page<Row>>,
  options: ReadingOptions = {},
  limit: number = limits.internalPageSizeMax,
): Promise<WholeList<Row>> {
  for (let reading = 1; ; reading += 1) {
    const { found, leastTotal } = await readOnce(readPage, options, limit);
    const missing = Math.max(0, leastTotal - found.size);
    if (missing === 0 || reading === attemptsMax) return { rows: [...found.values()], missing };
  }
}

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
