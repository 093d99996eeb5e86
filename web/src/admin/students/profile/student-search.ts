import { oneOf, pageIn, type RawSearch, withoutEmpty } from '../../address.ts';

/** The periods that the trend can show, in days. */
export const trendPeriods = [30, 90] as const;
export type TrendPeriod = (typeof trendPeriods)[number];

/** What the address of a student's page holds. */
export interface StudentSearch {
  readonly page?: number;
  readonly days?: TrendPeriod;
}

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readStudentSearch(raw: RawSearch): StudentSearch {
  const days = oneOf(trendPeriods, raw.days);
  return withoutEmpty<StudentSearch>({
    page: pageIn(raw.page),
    days: days === trendPeriods[0] ? undefined : days,
  });
}
