import type { InputOf } from '../../../api/operation-types.ts';
import type { Sort } from '../../../components/list/data-table-types.ts';
import {
  filtersOf,
  flagIn,
  idIn,
  oneOf,
  pageIn,
  type RawSearch,
  withoutEmpty,
  wordsIn,
} from '../../address.ts';

/** What the address of the students' page holds, so that reload, back and links keep the view. */
export interface StudentsSearch {
  readonly q?: string;
  readonly grade?: number;
  readonly class?: number;
  readonly state?: (typeof states)[number];
  readonly sort?: SortKey;
  readonly desc?: true;
  readonly page?: number;
  readonly size?: PageSize;
}

/** Whether someone may sign in. */
export const states = ['active', 'disabled'] as const;

const sortKeys = ['username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'] as const;
type SortKey = (typeof sortKeys)[number];

export const pageSizes = [50, 100, 200] as const;
type PageSize = (typeof pageSizes)[number];

/** Lists read by username unless something else was chosen. */
export const defaultSort: SortKey = 'username';

export const { isFiltered, unfiltered } = filtersOf<StudentsSearch>('q', 'grade', 'class', 'state');

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readStudentsSearch(raw: RawSearch): StudentsSearch {
  const size = oneOf(pageSizes, raw.size);
  return withoutEmpty<StudentsSearch>({
    q: wordsIn(raw.q),
    grade: idIn(raw.grade),
    class: idIn(raw.class),
    state: oneOf(states, raw.state),
    sort: sortKeyOf(raw.sort),
    desc: flagIn(raw.desc),
    page: pageIn(raw.page),
    size: size === pageSizes[0] ? undefined : size,
  });
}

/** A column as something to sort by. */
export function sortKeyOf(column: unknown): SortKey | undefined {
  const key = oneOf(sortKeys, column);
  return key === defaultSort ? undefined : key;
}

/** The sort as the table shows it. */
export function sortOf({ sort, desc }: StudentsSearch): Sort {
  return { key: sort ?? defaultSort, descending: desc === true };
}

/** What to ask the server for: everything that the address says, except which page. */
export function listQuery(
  schoolDb: string,
  search: StudentsSearch,
): NonNullable<InputOf<'listUsers'>['query']> {
  return {
    schoolDb,
    search: search.q,
    gradeId: search.grade,
    classId: search.class,
    disabled: search.state === undefined ? undefined : search.state === 'disabled',
    sortBy: search.sort ?? defaultSort,
    order: search.desc ? 'desc' : 'asc',
  };
}
