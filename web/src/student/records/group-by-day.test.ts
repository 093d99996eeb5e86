import { expect, it } from 'vitest';
import { schoolTimeIn } from '../../school-time/school-time.ts';
import { groupByDay } from './group-by-day.ts';

const record = (id: number, createdAt: Date, scoreChange: number) => ({
  id,
  createdAt: createdAt.toISOString(),
  scoreChange,
});

it('groupByDay groups records by day of the school, each record once', () => {
  const noon = new Date('2026-09-03T04:00:00Z');
  const nearMidnight = new Date('2026-09-02T15:59:00Z');
  const morning = new Date('2026-09-01T16:00:00Z');
  const records = [
    record(4, noon, 2),
    record(3, nearMidnight, 5),
    record(3, nearMidnight, 5),
    record(1, morning, -1),
  ];
  const days = groupByDay(records, schoolTimeIn('Asia/Shanghai').dayOf);
  expect(days.map(({ day, sum, records: { length } }) => [day, sum, length])).toEqual([
    ['2026-09-03', 2, 1],
    ['2026-09-02', 4, 2],
  ]);
});
