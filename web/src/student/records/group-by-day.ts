import type { ScoreLog } from '@classledger/contract';

type Dated = Pick<ScoreLog, 'id' | 'createdAt' | 'scoreChange'>;

/** Groups by day and drops duplicates, which occur when a new record moves others to the next page. */
export function groupByDay<R extends Dated>(records: readonly R[], dayOf: (iso: string) => string) {
  const once = new Map(records.map((record) => [record.id, record])).values();
  const days = Map.groupBy(once, ({ createdAt }) => dayOf(createdAt));
  return Array.from(days, ([day, ofDay]) => ({
    day,
    records: ofDay,
    sum: ofDay.reduce((sum, { scoreChange }) => sum + scoreChange, 0),
  }));
}
