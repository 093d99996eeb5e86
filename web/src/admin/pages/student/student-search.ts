/** The periods that the trend can show, in days. */
export const trendPeriods = [30, 90] as const;
export type TrendPeriod = (typeof trendPeriods)[number];

/** What the address of a student's page holds. */
export interface StudentSearch {
  readonly page?: number;
  readonly days?: TrendPeriod;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readStudentSearch({ page, days }: Readonly<Record<string, unknown>>): StudentSearch {
  const period = trendPeriods.find((one) => one === days && one !== trendPeriods[0]);
  return {
    ...(Number.isSafeInteger(page) && Number(page) > 1 && { page: Number(page) }),
    ...(period && { days: period }),
  };
}
