import type { ScoreLog } from '@classledger/contract';
import { callList } from '../../../api/call.ts';
import type { InputOf } from '../../../api/operation-types.ts';
import { type ReadingOptions, readAll, type WholeList } from '../../../api/read-all.ts';

type Query = NonNullable<InputOf<'listScoreLogs'>['query']>;

/** Reads all pages of a list of records. */
export function readAllRecords(query: Query, options: ReadingOptions = {}): Promise<WholeList<ScoreLog>> {
  const { signal } = options;
  return readAll(
    (page, limit) =>
      callList('listScoreLogs', { query: { ...query, page, limit }, ...(signal && { signal }) }),
    options,
  );
}
