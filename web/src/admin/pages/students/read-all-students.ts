import { limits } from 'virtual:contract';
import type { Student } from '@classledger/contract';
import { callList } from '../../../api/call.ts';
import type { InputOf } from '../../../api/operation-types.ts';

type Query = NonNullable<InputOf<'listUsers'>['query']>;

/**
 * Reads all pages of a list of students. Somebody may change it meanwhile, so that one comes on two pages: each is
 * there once.
 *
 * @param onProgress how many were read, of how many
 */
export async function readAllStudents(
  query: Query,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Student[]> {
  const limit = limits.internalPageSizeMax;
  const found = new Map<number, Student>();
  for (let page = 1; ; page += 1) {
    const { rows, total } = await callList('listUsers', { query: { ...query, page, limit } });
    for (const row of rows) found.set(row.id, row);
    onProgress(Math.min(found.size, total), total);
    if (rows.length < limit || page * limit >= total) return [...found.values()];
  }
}
