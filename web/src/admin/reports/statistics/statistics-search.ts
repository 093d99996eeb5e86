import { idIn, oneOf, pageIn, type RawSearch, withoutEmpty } from '../../address.ts';

/** The periods that statistics can be about, in days. */
export const statisticsPeriods = [7, 30, 90, 366] as const;
export type StatisticsPeriod = (typeof statisticsPeriods)[number];

/** What students can be ranked by. */
export const rankings = ['total', 'recent', 'improvement'] as const;
export type RankedBy = (typeof rankings)[number];

/** What the address of the statistics page holds, so that reload, back and links keep the view. */
export interface StatisticsSearch {
  readonly days?: StatisticsPeriod;
  readonly grade?: number;
  readonly class?: number;
  readonly by?: RankedBy;
  readonly page?: number;
}

/** A month, unless something else was chosen. */
export const defaultPeriod: StatisticsPeriod = 30;

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readStatisticsSearch(raw: RawSearch): StatisticsSearch {
  const days = oneOf(statisticsPeriods, raw.days);
  const by = oneOf(rankings, raw.by);
  return withoutEmpty<StatisticsSearch>({
    days: days === defaultPeriod ? undefined : days,
    grade: idIn(raw.grade),
    class: idIn(raw.class),
    by: by === rankings[0] ? undefined : by,
    page: pageIn(raw.page),
  });
}
