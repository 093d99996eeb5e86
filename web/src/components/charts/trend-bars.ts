import type { DayTotals } from '@classledger/contract';

export interface TrendBar {
  readonly date: string;
  readonly plus: number;
  readonly minus: number;
}

export function trendBars(days: readonly DayTotals[], daysPerBar: number): TrendBar[] {
  const bars: TrendBar[] = [];
  for (let end = days.length; end > 0; end -= daysPerBar) {
    const inBar = days.slice(Math.max(0, end - daysPerBar), end);
    bars.unshift({
      date: inBar[0]?.date ?? '',
      plus: inBar.reduce((sum, { addScore }) => sum + addScore, 0),
      minus: inBar.reduce((sum, { deductScore }) => sum + deductScore, 0),
    });
  }
  return bars;
}
