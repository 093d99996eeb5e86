import type { InputOf } from '../../../api/operation-types.ts';
import { dayBefore } from '../../../school-time/school-time.ts';
import {
  describeFilters,
  type ParsedSearch,
  parseDay,
  parseId,
  parseOneOf,
  parsePage,
  parseWords,
  type RawSearch,
  searchReader,
} from '../../search-parameters.ts';

export const recordKinds = ['plus', 'minus'] as const;

export const recordPeriods = ['today', 'week', 'month'] as const;
export type RecordPeriod = (typeof recordPeriods)[number];
const daysOf: Readonly<Record<RecordPeriod, number>> = { today: 1, week: 7, month: 30 };

const parsePeriod = (value: unknown) => parseOneOf(recordPeriods, value);
const dayWithoutPeriod = (value: unknown, { period }: RawSearch) =>
  parsePeriod(period) ? undefined : parseDay(value);

export const readRecordsSearch = searchReader({
  q: parseWords,
  grade: parseId,
  class: parseId,
  kind: (value) => parseOneOf(recordKinds, value),
  category: parseId,
  period: parsePeriod,
  /** Days at the school, such as 2026-09-01; ignored if there is a period. */
  from: dayWithoutPeriod,
  to: dayWithoutPeriod,
  /** The author: `a4` for administrator 4, `t7` for credential 7. */
  by: (value) => (typeof value === 'string' && /^[at][1-9]\d{0,14}$/.test(value) ? value : undefined),
  term: parseId,
  state: (value) => parseOneOf(['revoked'] as const, value),
  page: parsePage,
});

export type RecordsSearch = ParsedSearch<typeof readRecordsSearch>;

export const pageSize = 50;

export const { isFiltered, unfiltered } = describeFilters<RecordsSearch>(
  'q',
  'grade',
  'class',
  'kind',
  'category',
  'period',
  'from',
  'to',
  'by',
  'term',
  'state',
);

/** Counts the active filters, including the search. The first and last day count as one filter. */
export function filterCount(search: RecordsSearch): number {
  const { q, grade, class: classId, kind, category, period, from, to, by, term, state } = search;
  const days = period ?? from ?? to;
  return [q, grade, classId, kind, category, days, by, term, state].filter((value) => value !== undefined)
    .length;
}

export function isDayRangeOrdered({ from, to }: RecordsSearch): boolean {
  return from === undefined || to === undefined || from <= to;
}

/** Returns the query for the parameters of the URL, without the page. @param today at the school */
export function recordsQuery(
  schoolDb: string,
  search: RecordsSearch,
  today: string,
): NonNullable<InputOf<'listScoreLogs'>['query']> {
  const { period, by, term, state } = search;
  const from = period ? dayBefore(today, daysOf[period] - 1) : search.from;
  const authorId = by === undefined ? undefined : Number(by.slice(1));
  return {
    schoolDb,
    search: search.q,
    gradeId: search.grade,
    classId: search.class,
    type: search.kind,
    categoryId: search.category,
    startDate: from,
    endDate: search.to,
    adminId: by?.startsWith('a') ? authorId : undefined,
    tokenId: by?.startsWith('t') ? authorId : undefined,
    term,
    state,
  };
}
