import { limits } from '@classledger/contract';

interface Asked {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** A page of a list at the external door, with the bounds of its request applied. */
export async function paged<L extends object>(
  query: Asked,
  list: (slice: { offset: number; limit: number }) => Promise<L>,
) {
  const page = query.page ?? 1;
  const limit = Math.min(query.limit ?? limits.pageSizeDefault, limits.pageSizeMax);
  return { ...(await list({ offset: (page - 1) * limit, limit })), page, limit };
}

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
