import { limits } from 'virtual:contract';
import type { ScoreLog } from '@classledger/contract';
import { callList } from '../../../api/call.ts';
import type { InputOf } from '../../../api/operation-types.ts';

type Query = NonNullable<InputOf<'listScoreLogs'>['query']>;

/**
 * Reads all pages of a list of records. New ones arrive meanwhile and push others to the next page: each is there
 * once.
 *
 * @param onProgress how many were read, of how many
 */
export async function readAllRecords(
  query: Query,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ScoreLog[]> {
  const limit = limits.internalPageSizeMax;
  const found = new Map<number, ScoreLog>();
  for (let page = 1; ; page += 1) {
    const { rows, total } = await callList('listScoreLogs', { query: { ...query, page, limit } });
    for (const row of rows) found.set(row.id, row);
    onProgress(Math.min(found.size, total), total);
    if (rows.length < limit || page * limit >= total) return [...found.values()];
  }
}
