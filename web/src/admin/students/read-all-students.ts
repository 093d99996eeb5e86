import type { Student } from '@classledger/contract';
import { callList } from '../../api/call.ts';
import type { InputOf } from '../../api/operation-types.ts';
import { type ReadingOptions, readAll, type WholeList } from '../../api/read-all.ts';

type Query = NonNullable<InputOf<'listUsers'>['query']>;

/** Reads all pages of a list of students. */
export function readAllStudents(query: Query, options: ReadingOptions = {}): Promise<WholeList<Student>> {
  const { signal } = options;
  return readAll(
    (page, limit) => callList('listUsers', { query: { ...query, page, limit }, ...(signal && { signal }) }),
    options,
  );
}
