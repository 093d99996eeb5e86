import { limits } from '@classledger/contract';
import type { JsonPage } from '@classledger/json-pages';
import type { Order, PagePosition } from '../database/page.ts';
import { invalidValue } from '../errors/app-error.ts';
import { JsonAnswer } from './answer-sender.ts';
import { cursorAfter, parseCursor, type SortedList } from './cursors.ts';

interface PageParameters {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

interface PageSlice {
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
