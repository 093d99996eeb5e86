import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { anyOf } from './expressions.ts';
import type { Tables } from './tables.ts';

/** Returns a limit as a literal. With a parameter, PostgreSQL could keep a plan that reads and sorts all rows. */
export const literalLimit = (limit: number) => sql.lit(Math.trunc(limit));

/** Returns `LIMIT` and `OFFSET`. Omits offset 0, so that the first page has its own statement and plan. */
export const limitClause = ({ offset, limit }: { readonly offset: number; readonly limit: number }) =>
  offset !== 0 ? sql`LIMIT ${literalLimit(limit)} OFFSET ${offset}` : sql`LIMIT ${literalLimit(limit)}`;

export const directions = { asc: sql`ASC`, desc: sql`DESC` } as const;

/** The offset from which a page may be slow, because it skips many rows. */
export const deepOffset = 2_000;

/** A part of a list. `limit` null, with `offset` 0, means the whole list. */
export interface Slice {
  readonly offset: number;
  readonly limit: number | null;
  /** If set, the part begins after this position, and `offset` is 0. */
  readonly after?: PagePosition | null | undefined;
}

/** A place in a sorted list, right after an entry that may have been deleted since. */
export interface PagePosition {
  readonly value: string | number;
  readonly id: number;
}

export type Order = 'asc' | 'desc';

export function isAfter(
  { value, id }: PagePosition,
  column: RawBuilder<unknown>,
  idColumn: RawBuilder<unknown>,
  direction: Order,
): RawBuilder<boolean> {
  const follows = direction === 'asc' ? sql`>` : sql`<`;
  if (column === idColumn) return sql`${idColumn} ${follows} ${id}`;
  // Compares as bigint, because a forged cursor may hold a number too large for the column's type.
  const sorted = typeof value === 'number' ? sql`${value}::bigint` : sql`${value}`;
  return sql`(${column}, ${idColumn}) ${follows} (${sorted}, ${id})`;
}

export const entriesPerPart = 500;

export type PartReaders<T> = readonly (() => Promise<T[]>)[];

export class ListResult<T> {
  /** Empty when the whole list was requested and is too long for one read; then call `loadParts`. */
  readonly list: T[];
  readonly total: number;
  /** Reads all ids at one instant; each part later reads its rows, without deleted ones. Null if `list` is complete. */
  readonly loadParts: (() => Promise<PartReaders<T>>) | null;

  constructor(list: T[], total: number, loadParts: (() => Promise<PartReaders<T>>) | null = null) {
    this.list = list;
    this.total = total;
    this.loadParts = loadParts;
  }

  map<U>(present: (entry: T) => U): ListResult<U> {
    return this.mapParts(async (read) => (await read()).map(present), this.list.map(present));
  }

  mapParts<U>(read: (part: () => Promise<T[]>) => Promise<U[]>, list: U[]): ListResult<U> {
    const { loadParts } = this;
    const mapped = loadParts && (async () => (await loadParts()).map((part) => () => read(part)));
    return new ListResult(list, this.total, mapped);
  }
}

interface Executable<Row> {
  execute(): Promise<Row[]>;
}

type AnyQuery<Row> = SelectQueryBuilder<Tables, never, Row>;

const countOf = (rows: Executable<unknown>) =>
  (rows as unknown as AnyQuery<unknown>)
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'));

/** Returns the number of rows that a query finds. */
export async function countRows(rows: Executable<unknown>): Promise<number> {
  return (await countOf(rows).executeTakeFirstOrThrow()).total;
}

/**
 * Reads one part of a list and the number of all entries; at offset 0 in one statement, so that they agree.
 * @param key a unique column, by which a long list is read in parts; slices after a position must be sorted by it
 * @param counted selects as many entries as `rows`, with fewer joins
 * @param indexed unique columns of an index in the list's order, so that a deep page skips rows within the index
 */
export async function readPage<Row>(
  rows: Executable<Row>,
  slice: Slice,
  key: string,
  {
    partOf: partSize = entriesPerPart,
    order = 'asc',
    indexed,
    counted = rows,
  }: {
    readonly partOf?: number;
    readonly order?: Order;
    readonly indexed?: readonly string[];
    readonly counted?: Executable<unknown>;
  } = {},
): Promise<ListResult<Row>> {
  const unbounded = rows as unknown as AnyQuery<Row>;
  const count = countOf(counted);
  const { offset, after } = slice;
  const keyColumn = sql.ref(key);
  const all = after ? unbounded.where(isAfter(after, keyColumn, keyColumn, order)) : unbounded;
  const limitToPage = (query: AnyQuery<Row>) =>
    query.limit(literalLimit(slice.limit ?? partSize)).offset(offset);
  const columns = offset >= deepOffset && indexed?.map((name) => sql.ref(name));
  const page = columns
    ? all.where(
        sql`(${sql.join(columns)})`,
        'in',
        limitToPage(
          all.clearSelect().select(columns.map((column, i) => column.as(`k${i}`))) as never,
        ) as never,
      )
    : limitToPage(all);
  const { list, total } = await readPart(
    slice,
    () => (offset === 0 ? page.select(count.as('total')) : page.$castTo<Row & { total: number }>()).execute(),
    () => count.execute(),
  );
  const entries = list.map(({ total: _, ...row }) => row as Row);
  if (slice.limit !== null || total <= partSize) return new ListResult(entries, total);
  const id = sql.ref<number>(key);
  return new ListResult<Row>([], total, async () => {
    const keys = await all.clearSelect().select(id.as('id')).execute();
    return splitIntoParts(packIds(keys), (part) => all.where(id, '=', anyOf(part)).execute(), partSize);
  });
}

/** Reads one part of a list and the number of all entries with the caller's queries. */
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

/** Packs ids into eight bytes each, outside the heap, because a whole list keeps its ids until it has been sent. */
export const packIds = (keys: readonly { readonly id: number }[]) => Float64Array.from(keys, (key) => key.id);

/** Splits a whole list into parts. @param read gets keys and the position of the first */
export function splitIntoParts<T>(
  keys: Float64Array,
  read: (keys: readonly number[], from: number) => Promise<T[]>,
  partSize = entriesPerPart,
): PartReaders<T> {
  return Array.from({ length: Math.ceil(keys.length / partSize) }, (_, part) => {
    const from = part * partSize;
    return () => read(Array.from(keys.subarray(from, from + partSize)), from);
  });
}
