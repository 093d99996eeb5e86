import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A limit that the planner sees. As a parameter it could be anything, and the plan that is kept for it would read
 * and sort everything. `limit` is a number that was checked, never text.
 */
export const literal = (limit: number) => sql.lit(Math.trunc(limit));

/** `LIMIT` and `OFFSET` of a statement that is written as text. Not to skip anything is a statement of its own, too. */
export const cut = ({ offset, limit }: { readonly offset: number; readonly limit: number }) =>
  offset !== 0 ? sql`LIMIT ${literal(limit)} OFFSET ${offset}` : sql`LIMIT ${literal(limit)}`;

/** Expressions as the columns of a row, each under its name. */
export const named = (expressions: Readonly<Record<string, RawBuilder<unknown>>>) =>
  sql.join(Object.entries(expressions).map(([name, expression]) => sql`${expression} AS ${sql.ref(name)}`));

/** How a statement that is written as text sorts. */
export const directions = { asc: sql`ASC`, desc: sql`DESC` } as const;

/** A page that begins here or later has to read past so much that it may take long. */
export const deepOffset = 2_000;

/** A part of a list; `limit` null means all of it, and `offset` is 0 then. */
export interface Slice {
  readonly offset: number;
  readonly limit: number | null;
  /** It begins behind this place, instead of after an offset, which is 0 then; null: at the beginning. */
  readonly after?: Place | null | undefined;
}

/** A place in a sorted list: right behind an entry, whether that is still there or not. */
export interface Place {
  /** What the list is sorted by. */
  readonly value: string | number;
  /** Tells equal ones apart. */
  readonly id: number;
}

/** The direction of a list's order. */
export type Order = 'asc' | 'desc';

/** The condition that an entry stands behind a place. */
export function behind(
  { value, id }: Place,
  column: RawBuilder<unknown>,
  idColumn: RawBuilder<unknown>,
  direction: Order,
): RawBuilder<boolean> {
  const follows = direction === 'asc' ? sql`>` : sql`<`;
  if (column === idColumn) return sql`${idColumn} ${follows} ${id}`;
  // A cursor that somebody made up may hold more than the column does.
  const sorted = typeof value === 'number' ? sql`${value}::bigint` : sql`${value}`;
  return sql`(${column}, ${idColumn}) ${follows} (${sorted}, ${id})`;
}

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
 * @param order the direction of its order, which is by the key where the part begins behind a place
 * @param indexed the columns of an index in the order of the list, which tell its rows apart: with them, what lies before a
 * deep page is passed over in the index alone
 */
export async function readPage<Row>(
  rows: Yielding<Row>,
  total: Yielding<{ total: number }>,
  slice: Slice,
  key: string,
  {
    partOf = partSize,
    order = 'asc',
    indexed,
  }: { readonly partOf?: number; readonly order?: Order; readonly indexed?: readonly string[] } = {},
): Promise<Listed<Row>> {
  const unbounded = rows as unknown as AnyQuery<Row>;
  const counted = total as unknown as AnyQuery<{ total: number }>;
  const { offset, after } = slice;
  const keyColumn = sql.ref(key);
  const all = after ? unbounded.where(behind(after, keyColumn, keyColumn, order)) : unbounded;
  const ofPage = (query: AnyQuery<Row>) => query.limit(literal(slice.limit ?? partOf)).offset(offset);
  const columns = offset >= deepOffset && indexed?.map((name) => sql.ref(name));
  const page = columns
    ? all.where(
        sql`(${sql.join(columns)})`,
        'in',
        ofPage(all.clearSelect().select(columns.map((column, i) => column.as(`k${i}`))) as never) as never,
      )
    : ofPage(all);
  const { list, total: count } = await readPart(
    slice,
    // Of a later part the number is known by then.
    () =>
      (offset === 0 ? page.select(counted.as('total')) : page.$castTo<Row & { total: number }>()).execute(),
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
  { offset, after }: Pick<Slice, 'offset' | 'after'>,
  rows: () => Promise<Row[]>,
  total: () => Promise<{ total: number }[]>,
): Promise<{ list: Row[]; total: number }> {
  if (offset === 0) {
    const list = await rows();
    if (list.length > 0 || !after) return { list, total: list[0]?.total ?? 0 };
    return { list, total: (await total())[0]?.total ?? 0 };
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
