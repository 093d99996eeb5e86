import type { RankedStudent } from '@classledger/contract';
import { callList } from '../../../api/call.ts';
import type { InputOf } from '../../../api/operation-types.ts';
import { type ReadingOptions, readAll, type WholeList } from '../../../api/read-all.ts';

type Query = NonNullable<InputOf<'rankStudents'>['query']>;

/** Reads all pages of a ranking. */
export function readAllRanked(query: Query, options: ReadingOptions = {}): Promise<WholeList<RankedStudent>> {
  const { signal } = options;
  return readAll(
    (page, limit) =>
      callList('rankStudents', { query: { ...query, page, limit }, ...(signal && { signal }) }),
    options,
  );
}
