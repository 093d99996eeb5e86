import { describe, expect, it } from 'vitest';
import { trendBars } from './trend-bars.ts';

const day = (n: number, addScore: number, deductScore: number) => ({
  date: `2026-09-${String(n).padStart(2, '0')}`,
  count: 1,
  totalScore: addScore + deductScore,
  addScore,
  deductScore,
});

describe('trendBars', () => {
  it('returns one bar for each day', () => {
    expect(trendBars([day(1, 2, 0), day(2, 0, -1)], 1)).toEqual([
      { date: '2026-09-01', plus: 2, minus: 0 },
      { date: '2026-09-02', plus: 0, minus: -1 },
    ]);
  });

  it('combines several days, counted back from the newest', () => {
    expect(trendBars([day(1, 1, -1), day(2, 2, -2), day(3, 3, -3)], 2)).toEqual([
      { date: '2026-09-01', plus: 1, minus: -1 },
      { date: '2026-09-02', plus: 5, minus: -5 },
    ]);
    expect(trendBars([], 7)).toEqual([]);
  });
});
