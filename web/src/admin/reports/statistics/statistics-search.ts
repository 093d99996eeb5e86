import { parseId, parseOneOrDefault, parsePage, searchReader } from '../../search-parameters.ts';

export const statisticsPeriods = [7, 30, 90, 366] as const;
export type StatisticsPeriod = (typeof statisticsPeriods)[number];

export const rankingKinds = ['total', 'recent', 'improvement'] as const;
export type RankingKind = (typeof rankingKinds)[number];

export const defaultPeriod: StatisticsPeriod = 30;

export const readStatisticsSearch = searchReader({
  days: (value) => parseOneOrDefault(defaultPeriod, statisticsPeriods, value),
  grade: parseId,
  class: parseId,
  by: (value): RankingKind | undefined => parseOneOrDefault(rankingKinds[0], rankingKinds, value),
  page: parsePage,
});

/** The part of the school, and the period, that the page shows. */
export interface StatisticsScope {
  readonly days: StatisticsPeriod;
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
}

export interface RankingScope extends StatisticsScope {
  readonly by: RankingKind;
}
