import type { InputOf } from '../../api/operation-types.ts';
import type { Sort } from '../../components/list/data-table-types.ts';
import type { NamedStudent } from '../../components/student-names.ts';
import { byName } from '../../i18n/name-order.ts';
import {
  describeFilters,
  type ParsedSearch,
  parseFlag,
  parseId,
  parseOneOf,
  parseOneOrDefault,
  parsePage,
  parseWords,
  searchReader,
} from '../search-parameters.ts';

export const studentStates = ['active', 'disabled'] as const;
const sortKeys = ['username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'] as const;
/** Filters of the student list: each keeps students whose given password is in one of these states. */
const passwordFilters = {
  atRisk: ['shared', 'unused'],
  shared: ['shared'],
  unused: ['unused'],
  initial: ['initial'],
} as const;
export const passwordKeys = Object.keys(passwordFilters) as readonly (keyof typeof passwordFilters)[];
export const pageSizes = [50, 100, 200] as const;
const defaultSort = 'username';

export function sortKeyOf(column: unknown): (typeof sortKeys)[number] | undefined {
  return parseOneOrDefault(defaultSort, sortKeys, column);
}

export const readStudentsSearch = searchReader({
  q: parseWords,
  grade: parseId,
  class: parseId,
  state: (value) => parseOneOf(studentStates, value),
  password: (value) => parseOneOf(passwordKeys, value),
  sort: sortKeyOf,
  desc: parseFlag,
  page: parsePage,
  size: (value) => parseOneOrDefault(pageSizes[0], pageSizes, value),
});

export type StudentsSearch = ParsedSearch<typeof readStudentsSearch>;

export const { isFiltered, unfiltered } = describeFilters<StudentsSearch>(
  'q',
  'grade',
  'class',
  'state',
  'password',
);

export function sortOf({ sort, desc }: StudentsSearch): Sort {
  return { key: sort ?? defaultSort, descending: desc === true };
}

/** Sorts a whole list if its order is by name, because the server does not know the pronunciation of names. */
export function sortIfByName<Row extends NamedStudent>(
  rows: readonly Row[],
  { sort, desc }: StudentsSearch,
): Row[] {
  if (sort !== 'actualName') return [...rows];
  return rows.toSorted((one, other) => (desc ? byName(other, one) : byName(one, other)));
}

export function studentsQuery(
  schoolDb: string,
  search: StudentsSearch,
): NonNullable<InputOf<'listUsers'>['query']> {
  return {
    schoolDb,
    search: search.q,
    gradeId: search.grade,
    classId: search.class,
    disabled: search.state === undefined ? undefined : search.state === 'disabled',
    passwordState: search.password && [...passwordFilters[search.password]],
    sortBy: search.sort ?? defaultSort,
    order: search.desc ? 'desc' : 'asc',
  };
}

/** Periods of the trend on a student's page, in days. */
export const trendPeriods = [30, 90] as const;

export const readStudentSearch = searchReader({
  page: parsePage,
  days: (value) => parseOneOrDefault(trendPeriods[0], trendPeriods, value),
});

export const shownActions = ['created', 'changed', 'missing', 'kept'] as const;

export const readRunSearch = searchReader({
  show: (value) => parseOneOf(shownActions, value),
  page: parsePage,
});
