import { limits } from '@classledger/contract';

/** The page that a list request asks for, with its bounds applied. */
export function pageOf(query: { page?: number | undefined; limit?: number | undefined }) {
  const page = query.page ?? 1;
  const limit = Math.min(query.limit ?? limits.pageSizeDefault, limits.pageSizeMax);
  return { page, limit, slice: { offset: (page - 1) * limit, limit } };
}
