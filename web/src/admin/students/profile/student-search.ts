import { oneBut, pageIn, readerOf } from '../../address.ts';

/** Periods of the trend, in days. */
export const trendPeriods = [30, 90] as const;
export type TrendPeriod = (typeof trendPeriods)[number];

/** Reads the address of a student's page. */
export const readStudentSearch = readerOf({
  page: pageIn,
  days: (value): TrendPeriod | undefined => oneBut(trendPeriods[0], trendPeriods, value),
});
