import type { InputOf } from '../../../api/operation-types.ts';

/** What the address of the records' page holds, so that reload, back and links keep the view. */
export interface RecordsSearch {
  readonly q?: string;
  readonly grade?: number;
  readonly class?: number;
  readonly kind?: Kind;
  readonly period?: Period;
  /** Days of the reader, YYYY-MM-DD; instead of a period. */
  readonly from?: string;
  readonly to?: string;
  /** Who wrote it: `a4` is administrator 4, `t7` credential 7. */
  readonly by?: string;
  /** A closed term; without it the current one. */
  readonly term?: number;
  readonly state?: 'revoked';
  readonly page?: number;
}

export const kinds = ['plus', 'minus'] as const;
type Kind = (typeof kinds)[number];

/** Periods that move along with today. */
export const periods = ['today', 'week', 'month'] as const;
export type Period = (typeof periods)[number];
const daysOf: Readonly<Record<Period, number>> = { today: 1, week: 7, month: 30 };

export const pageSize = 50;

/** A changed filter; undefined takes it away. */
export type RecordsChange = { readonly [K in keyof RecordsSearch]?: RecordsSearch[K] | undefined };

/** Takes every filter away. */
export const noFilters: RecordsChange = {
  q: undefined,
  grade: undefined,
  class: undefined,
  kind: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
  by: undefined,
  term: undefined,
  state: undefined,
};

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readRecordsSearch(raw: Readonly<Record<string, unknown>>): RecordsSearch {
  const id = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null);
  // The router reads "2026" as a number.
  const q = typeof raw.q === 'string' || typeof raw.q === 'number' ? String(raw.q).trim().slice(0, 100) : '';
  const [grade, classId, term, page] = [id(raw.grade), id(raw.class), id(raw.term), id(raw.page)];
  const kind = kinds.find((one) => one === raw.kind);
  const period = periods.find((one) => one === raw.period);
  const from = period ? null : dayIn(raw.from);
  const to = period ? null : dayIn(raw.to);
  return {
    ...(q !== '' && { q }),
    ...(grade !== null && { grade }),
    ...(classId !== null && { class: classId }),
    ...(kind && { kind }),
    ...(period && { period }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(typeof raw.by === 'string' && /^[at][1-9]\d{0,14}$/.test(raw.by) && { by: raw.by }),
    ...(term !== null && { term }),
    ...(raw.state === 'revoked' && { state: 'revoked' as const }),
    ...(page !== null && page > 1 && { page }),
  };
}

function dayIn(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  return Number.isNaN(Date.parse(`${value}T00:00:00`)) ? null : value;
}

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

/** A day of the reader, YYYY-MM-DD, some days before another instant. */
export function dayBefore(now: Date, days: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** What to ask the server for: everything that the address says, except which page. */
export function listQuery(
  schoolDb: string,
  search: RecordsSearch,
  now = new Date(),
): NonNullable<InputOf<'listScoreLogs'>['query']> {
  const { period, by, term, state } = search;
  const from = period ? dayBefore(now, daysOf[period] - 1) : search.from;
  const authorId = by === undefined ? undefined : Number(by.slice(1));
  return {
    schoolDb,
    search: search.q,
    gradeId: search.grade,
    classId: search.class,
    type: search.kind,
    // Days of the reader, not of the server: a record of tonight belongs to today here.
    startDate: from === undefined ? undefined : new Date(`${from}T00:00:00`).toISOString(),
    endDate: search.to === undefined ? undefined : new Date(`${search.to}T23:59:59.999`).toISOString(),
    adminId: by?.startsWith('a') ? authorId : undefined,
    tokenId: by?.startsWith('t') ? authorId : undefined,
    term,
    state,
  };
}
