import type { InputOf } from '../../../api/operation-types.ts';
import type { Sort } from '../../../components/data-table-types.ts';

/** What the address of the students' page holds, so that reload, back and links keep the view. */
export interface StudentsSearch {
  readonly q?: string;
  readonly grade?: number;
  readonly class?: number;
  readonly state?: 'active' | 'disabled';
  readonly sort?: SortKey;
  readonly desc?: true;
  readonly page?: number;
  readonly size?: PageSize;
}

const sortKeys = ['username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'] as const;
type SortKey = (typeof sortKeys)[number];

export const pageSizes = [50, 100, 200] as const;
type PageSize = (typeof pageSizes)[number];

/** Lists read by username unless something else was chosen. */
export const defaultSort: SortKey = 'username';

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readStudentsSearch(raw: Readonly<Record<string, unknown>>): StudentsSearch {
  const id = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null);
  // The router reads "2026" as a number.
  const q = typeof raw.q === 'string' || typeof raw.q === 'number' ? String(raw.q).trim().slice(0, 100) : '';
  const [grade, classId, page] = [id(raw.grade), id(raw.class), id(raw.page)];
  const sort = sortKeys.find((key) => key === raw.sort && key !== defaultSort);
  const size = pageSizes.find((one) => one === raw.size && one !== pageSizes[0]);
  return {
    ...(q !== '' && { q }),
    ...(grade !== null && { grade }),
    ...(classId !== null && { class: classId }),
    ...((raw.state === 'active' || raw.state === 'disabled') && { state: raw.state }),
    ...(sort && { sort }),
    ...(raw.desc === true && { desc: true as const }),
    ...(page !== null && page > 1 && { page }),
    ...(size && { size }),
  };
}

/** The sort as the table shows it. */
export function sortOf({ sort, desc }: StudentsSearch): Sort {
  return { key: sort ?? defaultSort, descending: desc === true };
}

/** True where the list is narrowed at all. */
export function isFiltered({ q, grade, class: classId, state }: StudentsSearch): boolean {
  return q !== undefined || grade !== undefined || classId !== undefined || state !== undefined;
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
