import { idIn, oneBut, pageIn, readerOf, type SearchIn } from '../../address.ts';

/** The periods that statistics can be about, in days. */
export const statisticsPeriods = [7, 30, 90, 366] as const;
export type StatisticsPeriod = (typeof statisticsPeriods)[number];

/** What students can be ranked by. */
export const rankings = ['total', 'recent', 'improvement'] as const;
export type RankedBy = (typeof rankings)[number];

/** A month, unless something else was chosen. */
export const defaultPeriod: StatisticsPeriod = 30;

/** Reads the address of the statistics page, which holds the view, so that reload, back and links keep it. */
export const readStatisticsSearch = readerOf({
  days: (value) => oneBut(defaultPeriod, statisticsPeriods, value),
  grade: idIn,
  class: idIn,
  by: (value): RankedBy | undefined => oneBut(rankings[0], rankings, value),
  page: pageIn,
});

export type StatisticsSearch = SearchIn<typeof readStatisticsSearch>;
