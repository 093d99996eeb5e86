import type { InputOf } from '../../../api/operation-types.ts';
import { dayBefore } from '../../../school-time/school-time.ts';
import {
  dayIn,
  filtersOf,
  idIn,
  oneOf,
  pageIn,
  type RawSearch,
  readerOf,
  type SearchIn,
  wordsIn,
} from '../../address.ts';

export const kinds = ['plus', 'minus'] as const;

/** Periods that move along with today. */
export const periods = ['today', 'week', 'month'] as const;
export type Period = (typeof periods)[number];
const daysOf: Readonly<Record<Period, number>> = { today: 1, week: 7, month: 30 };

const periodIn = (value: unknown) => oneOf(periods, value);
const dayWithoutPeriod = (value: unknown, { period }: RawSearch) =>
  periodIn(period) ? undefined : dayIn(value);

/** Reads the address of the records' page, which holds the view, so that reload, back and links keep it. */
export const readRecordsSearch = readerOf({
  q: wordsIn,
  grade: idIn,
  class: idIn,
  kind: (value) => oneOf(kinds, value),
  period: periodIn,
  /** Days of the school, YYYY-MM-DD; instead of a period. */
  from: dayWithoutPeriod,
  to: dayWithoutPeriod,
  /** Who wrote it: `a4` is administrator 4, `t7` credential 7. */
  by: (value) => (typeof value === 'string' && /^[at][1-9]\d{0,14}$/.test(value) ? value : undefined),
  /** A closed term; without it the current one. */
  term: idIn,
  state: (value) => oneOf(['revoked'] as const, value),
  page: pageIn,
});

export type RecordsSearch = SearchIn<typeof readRecordsSearch>;

export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<RecordsSearch>(
  'q',
  'grade',
  'class',
  'kind',
  'period',
  'from',
  'to',
  'by',
  'term',
  'state',
);

/** How many filters narrow the list, the search word included. */
export function filterCount(search: RecordsSearch): number {
  const { q, grade, class: classId, kind, period, from, to, by, term, state } = search;
  const days = period ?? from ?? to;
  return [q, grade, classId, kind, days, by, term, state].filter((value) => value !== undefined).length;
}

/** True where the order of the days makes sense. */
export function daysAreOrdered({ from, to }: RecordsSearch): boolean {
  return from === undefined || to === undefined || from <= to;
}

/**
 * What to ask the server for: everything that the address says, except which page.
 *
 * @param today at the school
 */
export function listQuery(
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
    startDate: from,
    endDate: search.to,
    adminId: by?.startsWith('a') ? authorId : undefined,
    tokenId: by?.startsWith('t') ? authorId : undefined,
    term,
    state,
  };
}
