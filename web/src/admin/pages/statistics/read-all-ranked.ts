import type { RankedStudent } from '@classledger/contract';
import type { Page } from '../../../api/call.ts';

/**
 * Reads all pages of a ranking. Points may be given meanwhile, so that a student comes on two pages: each is there
 * once.
 *
 * @param read one page, from 1
 * @param limit how many are on a page
 */
export async function readAllRanked(
  read: (page: number) => Promise<Page<RankedStudent>>,
  limit: number,
): Promise<RankedStudent[]> {
  const found = new Map<number, RankedStudent>();
  for (let page = 1; ; page += 1) {
    const { rows, total } = await read(page);
    for (const row of rows) found.set(row.id, row);
    if (rows.length < limit || page * limit >= total) return [...found.values()];
  }
}
