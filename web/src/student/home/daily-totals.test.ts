import { expect, it } from 'vitest';
import { chartPointsOf, dailyTotals } from './daily-totals.ts';

const days = [
  { date: '2026-09-01', totalScore: 4 },
  { date: '2026-09-02', totalScore: 0 },
  { date: '2026-09-03', totalScore: -2 },
];

it('dailyTotals goes back from the current total to the total before each day', () => {
  expect(dailyTotals(days, 12)).toEqual([
    { date: '2026-09-01', total: 10 },
    { date: '2026-09-01', total: 14 },
    { date: '2026-09-02', total: 14 },
    { date: '2026-09-03', total: 12 },
  ]);
});

it('chartPointsOf spreads the days over the whole drawing', () => {
  expect(chartPointsOf(dailyTotals(days, 11))).toEqual([
    { x: 0, y: 1 },
    { x: 1 / 3, y: 0 },
    { x: 2 / 3, y: 0 },
    { x: 1, y: 0.5 },
  ]);
});

it('chartPointsOf puts a constant total in the middle', () => {
  const flat = dailyTotals([{ date: '2026-09-01', totalScore: 0 }], 5);
  expect(chartPointsOf(flat)).toEqual([
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ]);
  expect(chartPointsOf(dailyTotals([], 5))).toEqual([]);
});
