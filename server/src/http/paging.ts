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
  /** Null: the beginning of a list that is gone on with behind places. */
  readonly after?: Place | null;
}

/**
 * A page of a list at the external door, with the bounds of its request applied: by its number, or behind a cursor. An
 * empty cursor is the beginning.
 *
 * @param list reads a part of it, whose entries are no JSON yet where `after` is given
 * @throws AppError invalid_value for a cursor that cannot be used, and for both at once
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

/** The order of a list that has no other. */
export const byId = (of: string, { order = 'asc' }: { readonly order?: Order | undefined }) =>
  ({ of, by: 'id', direction: order }) as const;

/** One entry more is read than is told: whether there is one. */
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

/**
 * The part of a list that an internal call asks for; without page and limit all of it.
 *
 * @param pageDefault for a list that is too long for that: the size of a page when no limit is given
 */
export function sliceOf(query: Asked, pageDefault: number): { offset: number; limit: number };
export function sliceOf(query: Asked): { offset: number; limit: number | null };
export function sliceOf(query: Asked, pageDefault: number | null = null) {
  const asked = query.limit ?? pageDefault;
  if (query.page === undefined && asked === null) return { offset: 0, limit: null };
  const limit = Math.min(asked ?? limits.internalPageSizeMax, limits.internalPageSizeMax);
  return { offset: ((query.page ?? 1) - 1) * limit, limit };
}
