import { expect, it } from 'vitest';
import { daysOf } from './days-of.ts';

const record = (id: number, createdAt: Date, scoreChange: number) => ({
  id,
  createdAt: createdAt.toISOString(),
  scoreChange,
});

it('records are grouped by the day of the reader, each shown once', () => {
  const noon = new Date(2026, 8, 3, 12);
  const nearMidnight = new Date(2026, 8, 2, 23, 59);
  const morning = new Date(2026, 8, 2, 8);
  const records = [
    record(4, noon, 2),
    record(3, nearMidnight, 5),
    record(3, nearMidnight, 5),
    record(1, morning, -1),
  ];
  expect(daysOf(records).map(({ day, sum, records: { length } }) => [day, sum, length])).toEqual([
    ['2026-09-03', 2, 1],
    ['2026-09-02', 4, 2],
  ]);
});
