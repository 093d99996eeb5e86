import { limits } from 'virtual:contract';
import { ListChanged } from './api-failure.ts';
import type { Page } from './call.ts';

export interface ReadingOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

type ReadPage<Row> = (paging: { readonly page: number; readonly limit: number }) => Promise<Page<Row>>;

const attemptsMax = 3;

/**
 * Reads all pages of records or absences without duplicates; other lists are whole without `limit`. If deletions hid
 * rows, reads again. Rows added meanwhile may be missing. @throws ListChanged if three readings were not enough
 */
export async function readAll<Row extends { readonly id: number }>(
  readPage: ReadPage<Row>,
  options: ReadingOptions,
  limit: number = limits.internalPageSizeMax,
): Promise<Row[]> {
  for (let reading = 1; reading <= attemptsMax; reading += 1) {
    const { found, leastTotal } = await readOnce(readPage, options, limit);
    if (found.size >= leastTotal) return [...found.values()];
  }
  throw new ListChanged();
}

async function readOnce<Row extends { readonly id: number }>(
  readPage: ReadPage<Row>,
  { onProgress, signal }: ReadingOptions,
  limit: number,
) {
  const found = new Map<number, Row>();
  let before = 0;
  let leastTotal = Number.POSITIVE_INFINITY;
  for (let page = 1; ; ) {
    signal.throwIfAborted();
    const { rows, total } = await readPage({ page, limit });
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
