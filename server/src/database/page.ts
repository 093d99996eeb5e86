import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** A part of a list; `limit` null means all of it from `offset` on. */
export interface Slice {
  readonly offset: number;
  readonly limit: number | null;
}

/** A query of any shape; only what it yields matters here. */
interface Yielding<Row> {
  execute(): Promise<Row[]>;
}

/**
 * Reads one part of a list together with the number of all entries, in one statement: both are of one instant.
 *
 * @param rows the ordered query without offset and limit
 * @param total a query that yields one row with one number, `total`
 */
export async function readPage<Row>(
  rows: Yielding<Row>,
  total: Yielding<{ total: number }>,
  { offset, limit }: Slice,
): Promise<{ list: Row[]; total: number }> {
  const counting = total as unknown as SelectQueryBuilder<Tables, never, { total: number }>;
  let page = (rows as unknown as SelectQueryBuilder<Tables, never, object>).select(counting.as('total'));
  if (limit !== null) page = page.limit(limit);
  if (offset > 0) page = page.offset(offset);
  const found = await page.execute();
  const [first] = found;
  if (first) return { list: found as Row[], total: first.total ?? 0 };
  // Nothing on this page: either nothing at all, or the page lies past the end.
  const [counted] = offset === 0 ? [] : await total.execute();
  return { list: [], total: counted?.total ?? 0 };
}
