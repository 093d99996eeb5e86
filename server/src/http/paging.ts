import { limits } from '@classledger/contract';
import { invalidValue } from '../app-error.ts';
import type { Order, Place } from '../database/page.ts';
import type { JsonPage } from '../database/shared-reads/page-query.ts';
import { cursorBehind, placeOf, type SortedList } from './cursors.ts';
import { JsonAnswer } from './sending.ts';

interface Asked {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

interface Cut {
  readonly offset: number;
  readonly limit: number;
  /** Null at the beginning of a list that is read by cursors. */
  readonly after?: Place | null;
}

/**
 * Returns a page at the external door, by number or behind a cursor. An empty cursor is the beginning.
 *
 * @param list must not return JSON when `after` is given
 * @throws AppError invalid_value for an invalid cursor, and for `page` and `after` at once
 */
export async function paged<L extends object>(
  query: Asked & { readonly after?: string | undefined },
  sorted: SortedList,
  list: (slice: Cut) => Promise<L>,
): Promise<Paged<L>> {
  const limit = Math.min(query.limit ?? limits.pageSizeDefault, limits.pageSizeMax);
  if (query.after !== undefined) {
    if (query.page !== undefined) throw invalidValue('Send either page or after');
    return (await pageBehind(query.after, limit, sorted, list as never)) as unknown as Paged<L>;
  }
  const page = query.page ?? 1;
  const found = await list({ offset: (page - 1) * limit, limit });
  if (!isJsonPage(found)) return { ...found, page, limit } as unknown as Paged<L>;
  const { list: entries, total } = found;
  const json = `{"list":${entries},"total":${total},"page":${page},"limit":${limit}}`;
  return new JsonAnswer(json) as Paged<L>;
}

/** Returns the order of a list that is always sorted by id. */
export const byId = (of: string, { order = 'asc' }: { readonly order?: Order | undefined }) =>
  ({ of, by: 'id', direction: order }) as const;

/** Reads one entry more, to know whether another page follows. */
async function pageBehind(
  cursor: string,
  limit: number,
  sorted: SortedList,
  read: (slice: Cut) => Promise<{ list: Record<string, unknown>[]; total: number }>,
) {
  const after = cursor === '' ? null : placeOf(cursor, sorted);
  const { list: found, total } = await read({ offset: 0, limit: limit + 1, after });
  const list = found.slice(0, limit);
  const last = found.length > limit ? list.at(-1) : undefined;
  return { list, total, page: 1, limit, nextCursor: last ? cursorBehind(sorted, last) : null };
}

type Paged<L> = L extends JsonPage<infer T> ? JsonAnswer<{ list: T[]; total: number } & Bounds> : L & Bounds;

interface Bounds {
  readonly page: number;
  readonly limit: number;
}

const isJsonPage = (list: object): list is JsonPage => typeof (list as JsonPage).list === 'string';

/** Returns the slice that an internal call asks for; the whole list without page and limit. */
export function sliceOf(query: Asked, pageDefault: number): { offset: number; limit: number };
export function sliceOf(query: Asked): { offset: number; limit: number | null };
export function sliceOf(query: Asked, pageDefault: number | null = null) {
  const asked = query.limit ?? pageDefault;
  if (query.page === undefined && asked === null) return { offset: 0, limit: null };
  const limit = Math.min(asked ?? limits.internalPageSizeMax, limits.internalPageSizeMax);
  return { offset: ((query.page ?? 1) - 1) * limit, limit };
}
