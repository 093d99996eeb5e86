import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A limit that the planner sees. As a parameter it could be anything, and the plan that is kept for it would read
 * and sort everything. `limit` is a number that was checked, never text.
 */
export const literal = (limit: number) => sql.lit(Math.trunc(limit));

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
 * Reads one part of a list together with the number of all entries: of the first part in one statement, so that both
 * are of one instant; of a later one the number first, so that nothing is read past the end.
 *
 * @param rows the ordered query without offset and limit; each row carries the number of all entries as `total`
 * @param total the same number by itself
 */
export async function readPage<Row extends { total: number | null }>(
  rows: Yielding<Row>,
  total: Yielding<{ total: number }>,
  { offset, limit }: Slice,
): Promise<{ list: Row[]; total: number }> {
  let page = rows as unknown as SelectQueryBuilder<Tables, never, Row>;
  if (limit !== null) page = page.limit(limit);
  return readPart(
    offset,
    () => page.offset(offset).execute(),
    () => total.execute(),
  );
}

/** The same for queries that are run in another way. */
export async function readPart<Row extends { total: number | null }>(
  offset: number,
  rows: () => Promise<Row[]>,
  total: () => Promise<{ total: number }[]>,
): Promise<{ list: Row[]; total: number }> {
  if (offset === 0) {
    const list = await rows();
    return { list, total: list[0]?.total ?? 0 };
  }
  const count = (await total())[0]?.total ?? 0;
  return { list: offset < count ? await rows() : [], total: count };
}
