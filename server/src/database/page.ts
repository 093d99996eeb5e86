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
 * @param rows the ordered query without offset and limit; each row carries the number of all entries as `total`
 * @param total the same number by itself, asked for only when the part is empty
 */
export async function readPage<Row extends { total: number | null }>(
  rows: Yielding<Row>,
  total: Yielding<{ total: number }>,
  { offset, limit }: Slice,
): Promise<{ list: Row[]; total: number }> {
  let page = rows as unknown as SelectQueryBuilder<Tables, never, Row>;
  if (limit !== null) page = page.limit(limit);
  if (offset > 0) page = page.offset(offset);
  const list = await page.execute();
  const [first] = list;
  if (first) return { list, total: first.total ?? 0 };
  // Nothing on this page: either nothing at all, or the page lies past the end.
  const [counted] = offset === 0 ? [] : await total.execute();
  return { list, total: counted?.total ?? 0 };
}
