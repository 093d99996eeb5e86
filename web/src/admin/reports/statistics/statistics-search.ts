import { idIn, oneBut, pageIn, readerOf, type SearchIn } from '../../address.ts';

export const statisticsPeriods = [7, 30, 90, 366] as const;
export type StatisticsPeriod = (typeof statisticsPeriods)[number];

export const rankings = ['total', 'recent', 'improvement'] as const;
export type RankedBy = (typeof rankings)[number];

export const defaultPeriod: StatisticsPeriod = 30;

/** Reads the address of the statistics page. The address holds the view, so that reload, Back and links keep it. */
export const readStatisticsSearch = readerOf({
  days: (value) => oneBut(defaultPeriod, statisticsPeriods, value),
  grade: idIn,
  class: idIn,
  by: (value): RankedBy | undefined => oneBut(rankings[0], rankings, value),
  page: pageIn,
});

export type StatisticsSearch = SearchIn<typeof readStatisticsSearch>;
