import { crc32 } from 'node:zlib';
import { limits } from '@classledger/contract';
import type { JsonPage } from '@classledger/json-pages';
import type { Order, PagePosition } from '../database/page.ts';
import { invalidValue } from '../errors/app-error.ts';
import { JsonAnswer } from './answer-sender.ts';
import { parseInstant } from './instants.ts';

/** A list and its order. A cursor is valid only for the same list and order. */
interface SortedList {
  readonly list: string;
  readonly by: string;
  readonly direction: Order;
}

const textLengthMax = 300;
const texts: ReadonlySet<string> = new Set(['username', 'actualName']);

function cursorAfter({ list, by, direction }: SortedList, entry: Readonly<Record<string, unknown>>): string {
  return encode([list, by, direction, entry[by], entry.id]);
}

/** Parses a cursor. @throws AppError invalid_value for any text that is no cursor of this list and order */
function parseCursor(cursor: string, { list, by, direction }: SortedList): PagePosition {
  const parts = decode(cursor);
  if (parts === null) throw invalidValue('after is not a cursor of this API; send nextCursor unchanged');
  const [ofOther, byOther, directionOther, value, id] = parts;
  if (ofOther !== list || byOther !== by || directionOther !== direction) {
    throw invalidValue('after is the cursor of another list or order; send the same sortBy and order');
  }
  if (!isId(id) || !isValueOf(by, value)) {
    throw invalidValue('after is not a cursor of this API; send nextCursor unchanged');
  }
  return { value, id };
}

/** Adds a checksum, so that a damaged cursor is refused instead of leading to another place. */
function encode(parts: readonly unknown[]): string {
  const json = Buffer.from(JSON.stringify(parts));
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(json));
  return Buffer.concat([sum, json]).toString('base64url');
}

function decode(cursor: string): readonly unknown[] | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < 5 || bytes.toString('base64url') !== cursor) return null;
  const json = bytes.subarray(4);
  if (crc32(json) !== bytes.readUInt32BE(0)) return null;
  try {
    const parts: unknown = JSON.parse(json.toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) > 0;

/** Checks the value before it reaches the database, because anybody can compute the checksum. */
function isValueOf(by: string, value: unknown): value is string | number {
  if (by === 'createdAt') return typeof value === 'string' && parseInstant(value, 'start') === value;
  if (!texts.has(by)) return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length <= textLengthMax && /^[^\0\p{Cs}]*$/u.test(value);
}

interface PageParameters {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

export interface PageSlice {
  readonly offset: number;
  readonly limit: number;
  /** Null for the first page of a read by cursors; absent when the list is read by page number. */
  readonly after?: PagePosition | null;
}

/** Reads a page by its number or after a cursor. An empty cursor means the beginning. @throws AppError invalid_value */
export async function readApiPage<L extends object>(
  query: PageParameters & { readonly after?: string | undefined },
  sorted: SortedList,
  list: (slice: PageSlice) => Promise<L>,
): Promise<Paged<L>> {
  const limit = Math.min(query.limit ?? limits.pageSizeDefault, limits.pageSizeMax);
  if (query.after !== undefined) {
    if (query.page !== undefined) throw invalidValue('Send either page or after');
    return (await readPageAfter(query.after, limit, sorted, list as never)) as unknown as Paged<L>;
  }
  const page = query.page ?? 1;
  const found = await list({ offset: (page - 1) * limit, limit });
  if (!isJsonPage(found)) return { ...found, page, limit } as unknown as Paged<L>;
  const { list: entries, total } = found;
  const json = `{"list":${entries},"total":${total},"page":${page},"limit":${limit}}`;
  return new JsonAnswer(json) as Paged<L>;
}

/** Reads a page of a list that is sorted by id. @throws AppError invalid_value */
export const readById = <L extends object>(
  list: string,
  query: Parameters<typeof readApiPage>[0] & { readonly order?: Order | undefined },
  read: (slice: PageSlice) => Promise<L>,
) => readApiPage(query, { list, by: 'id', direction: query.order ?? 'asc' }, read);

/** Reads one entry more, to know whether another page follows. */
async function readPageAfter(
  cursor: string,
  limit: number,
  sorted: SortedList,
  read: (slice: PageSlice) => Promise<{ list: Record<string, unknown>[]; total: number }>,
) {
  const after = cursor === '' ? null : parseCursor(cursor, sorted);
  const { list: found, total } = await read({ offset: 0, limit: limit + 1, after });
  const list = found.slice(0, limit);
  const last = found.length > limit ? list.at(-1) : undefined;
  return { list, total, page: 1, limit, nextCursor: last ? cursorAfter(sorted, last) : null };
}

type Paged<L> =
  L extends JsonPage<infer T> ? JsonAnswer<{ list: T[]; total: number } & PageNumbers> : L & PageNumbers;

interface PageNumbers {
  readonly page: number;
  readonly limit: number;
}

const isJsonPage = (list: object): list is JsonPage => typeof (list as JsonPage).list === 'string';

/** Returns the slice of a page. Without page and limit, it is the whole list. */
export function toSlice(query: PageParameters, pageDefault: number): { offset: number; limit: number };
export function toSlice(query: PageParameters): { offset: number; limit: number | null };
export function toSlice(query: PageParameters, pageDefault: number | null = null) {
  const asked = query.limit ?? pageDefault;
  if (query.page === undefined && asked === null) return { offset: 0, limit: null };
  const limit = Math.min(asked ?? limits.internalPageSizeMax, limits.internalPageSizeMax);
  return { offset: ((query.page ?? 1) - 1) * limit, limit };
}
