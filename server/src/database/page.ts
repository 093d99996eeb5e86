import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A limit that the planner sees. As a parameter it could be anything, and the plan that is kept for it would read
 * and sort everything. `limit` is a number that was checked, never text.
 */
export const literal = (limit: number) => sql.lit(Math.trunc(limit));

/** `LIMIT` and `OFFSET` of a statement that is written as text. Not to skip anything is a statement of its own, too. */
export const cut = ({ offset, limit }: { readonly offset: number; readonly limit: number }) =>
  offset > 0 ? sql`LIMIT ${literal(limit)} OFFSET ${offset}` : sql`LIMIT ${literal(limit)}`;

/** How a statement that is written as text sorts. */
export const directions = { asc: sql`ASC`, desc: sql`DESC` } as const;

/** A page that begins here or later has to read past so much that it may take long. */
export const deepOffset = 2_000;

/** A part of a list; `limit` null means all of it, and `offset` is 0 then. */
export interface Slice {
  readonly offset: number;
  readonly limit: number | null;
}

/** The direction of a list's order. */
export type Order = 'asc' | 'desc';

/** No more rows of a whole list are read at once. */
export const partSize = 500;

/** The parts of a whole list in their order, each read when it is called. */
export type Parts<T> = readonly (() => Promise<T[]>)[];

/** What was asked for of a list, and how many entries there are. */
export class Listed<T> {
  /** Empty where it is too much to be read at once: `whole` brings it then. */
  readonly list: T[];
  readonly total: number;
  /**
   * Reads which entries there are, in their order and at one instant; nothing else is kept of them. Each is told as it
   * is when its part is read; one that is gone by then is left out.
   */
  readonly whole: (() => Promise<Parts<T>>) | null;

  constructor(list: T[], total: number, whole: (() => Promise<Parts<T>>) | null = null) {
    this.list = list;
    this.total = total;
    this.whole = whole;
  }

  /** The same with each entry as it is presented. */
  map<U>(present: (entry: T) => U): Listed<U> {
    return this.mapParts(async (read) => (await read()).map(present), this.list.map(present));
  }

  /** The same with each part read in another way; `list` is given as it is to be. */
  mapParts<U>(read: (part: () => Promise<T[]>) => Promise<U[]>, list: U[]): Listed<U> {
    const { whole } = this;
    const mapped = whole && (async () => (await whole()).map((part) => () => read(part)));
    return new Listed(list, this.total, mapped);
  }
}

/** A query of any shape; only what it yields matters here. */
interface Yielding<Row> {
  execute(): Promise<Row[]>;
}

type AnyQuery<Row> = SelectQueryBuilder<Tables, never, Row>;

/**
 * Reads one part of a list together with the number of all entries: of the first part in one statement, so that both
 * are of one instant; of a later one the number first, so that nothing is read past the end.
 *
 * @param rows the ordered query without offset and limit
 * @param total how many rows it has
 * @param key the column that tells the rows apart, such as `s.id`: a whole list that is long is read by it, in parts
 */
export async function readPage<Row>(
  rows: Yielding<Row>,
  total: Yielding<{ total: number }>,
  slice: Slice,
  key: string,
  partOf = partSize,
): Promise<Listed<Row>> {
  const all = rows as unknown as AnyQuery<Row>;
  const counted = total as unknown as AnyQuery<{ total: number }>;
  const page = all.select(counted.as('total')).limit(literal(slice.limit ?? partOf));
  const { list, total: count } = await readPart(
    slice.offset,
    () => page.offset(slice.offset).execute(),
    () => counted.execute(),
  );
  const entries = list.map(({ total: _, ...row }) => row as Row);
  if (slice.limit !== null || count <= partOf) return new Listed(entries, count);
  const id = sql.ref<number>(key);
  return new Listed<Row>([], count, async () => {
    const keys = await all.clearSelect().select(id.as('id')).execute();
    return partsOf(compact(keys), (part) => all.where(id, '=', anyOf(part)).execute(), partOf);
  });
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

/** A value of a condition that is one of many. */
export const anyOf = (ids: readonly number[]) => sql<number>`ANY(${ids}::bigint[])`;

/** Eight bytes an entry, outside of the heap: this is what a whole list costs for as long as someone reads it. */
export const compact = (keys: readonly { readonly id: number }[]) => Float64Array.from(keys, (key) => key.id);

/** @param read reads the rows of some of the keys */
export function partsOf<T>(
  keys: Float64Array,
  read: (keys: readonly number[], from: number) => Promise<T[]>,
  partOf = partSize,
): Parts<T> {
  return Array.from({ length: Math.ceil(keys.length / partOf) }, (_, part) => {
    const from = part * partOf;
    return () => read(Array.from(keys.subarray(from, from + partOf)), from);
  });
}

/** For LIKE and ILIKE: whatever holds this text; none of its characters is special. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
