import { parseOneOrDefault, parsePage, searchReader } from '../../search-parameters.ts';

/** Periods of the trend, in days. */
export const trendPeriods = [30, 90] as const;
export type TrendPeriod = (typeof trendPeriods)[number];

export const readStudentSearch = searchReader({
  page: parsePage,
  days: (value): TrendPeriod | undefined => parseOneOrDefault(trendPeriods[0], trendPeriods, value),
});
