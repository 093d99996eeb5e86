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

/** A changed part of the view; undefined takes it away. */
export type StatisticsChange = {
  readonly [K in keyof StatisticsSearch]?: StatisticsSearch[K] | undefined;
};

/** A month, unless something else was chosen. */
export const defaultPeriod: StatisticsPeriod = 30;

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readStatisticsSearch(raw: Readonly<Record<string, unknown>>): StatisticsSearch {
  const id = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null);
  const [grade, classId, page] = [id(raw.grade), id(raw.class), id(raw.page)];
  const days = statisticsPeriods.find((one) => one === raw.days && one !== defaultPeriod);
  const by = rankings.find((one) => one === raw.by && one !== 'total');
  return {
    ...(days && { days }),
    ...(grade !== null && { grade }),
    ...(classId !== null && { class: classId }),
    ...(by && { by }),
    ...(page !== null && page > 1 && { page }),
  };
}
