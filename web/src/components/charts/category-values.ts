import type { CategoryDay, CategoryTotals } from '@classledger/contract';
import { paletteColour } from '../palette.ts';
import type { TrendBar } from './chart-values.ts';

/**
 * Splits bars by category.
 *
 * @param days with records only, in any order
 * @param none the name for points without a category
 */
export function splitByCategory(
  bars: readonly TrendBar[],
  days: readonly CategoryDay[],
  categories: readonly Pick<CategoryTotals, 'categoryId' | 'name' | 'colour'>[],
  none: string,
): TrendBar[] {
  return bars.map((bar, index) => {
    const next = bars[index + 1]?.date;
    const inBar = days.filter(({ date }) => date >= bar.date && (next === undefined || date < next));
    const parts = categories.map(({ categoryId, name, colour }) => {
      const own = inBar.filter((day) => day.categoryId === categoryId);
      return {
        id: categoryId,
        name: name ?? none,
        colour: paletteColour(colour),
        plus: own.reduce((sum, { addScore }) => sum + addScore, 0),
        minus: own.reduce((sum, { deductScore }) => sum + deductScore, 0),
      };
    });
    return { ...bar, parts };
  });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns a point on an axis of a radar. The first axis points up, and the others follow clockwise. */
export function radarPoint(axis: number, axisCount: number, radius: number): Point {
  const angle = (2 * Math.PI * axis) / axisCount - Math.PI / 2;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}
