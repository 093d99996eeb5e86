import { describe, expect, it } from 'vitest';
import { radarPoint, splitByCategory } from './category-values.ts';
import { axisPositionOf, axisTicks, trendBars } from './chart-values.ts';

it.each([
  { whole: true, values: [371, 234, -116], ticks: [-200, 0, 200, 400] },
  { whole: true, values: [3, 1], ticks: [0, 1, 2, 3] },
  { whole: true, values: [-7], ticks: [-8, -6, -4, -2, 0] },
  { whole: true, values: [], ticks: [0, 1] },
  { whole: true, values: [0, 0], ticks: [0, 1] },
  { whole: true, values: [1_000_000], ticks: [0, 500_000, 1_000_000] },
  { whole: false, values: [0.31, -0.12], ticks: [-0.2, 0, 0.2, 0.4] },
  { whole: false, values: [4.2, -1.1], ticks: [-2, 0, 2, 4, 6] },
])('the values $values get chart lines at $ticks, all of them whole: $whole', ({ whole, values, ticks }) => {
  expect(axisTicks(values, { whole })).toEqual(ticks);
});

it('axisPositionOf places values in proportion', () => {
  const place = axisPositionOf([-200, 0, 200, 400, 600]);
  expect([-200, 0, 200, 600].map(place)).toEqual([0, 25, 50, 100]);
});

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

it('splitByCategory gives each bar the points of its own days, category by category', () => {
  const bars = trendBars([day(1, 5, 0), day(2, 0, -2), day(3, 4, 0)], 2);
  const kinds = [1, null].map((categoryId) => ({ categoryId, name: null, colour: null }));
  const days = [
    { ...day(3, 4, 0), categoryId: null },
    { ...day(1, 5, 0), categoryId: 1 },
    { ...day(2, 0, -2), categoryId: 1 },
    { ...day(2, 9, 0), categoryId: 7 },
  ];
  const parts = splitByCategory(bars, days, kinds, 'None').map((bar) =>
    bar.parts?.map(({ id, plus, minus }) => [id, plus, minus]),
  );
  expect(parts).toEqual([
    [
      [1, 5, 0],
      [null, 0, 0],
    ],
    [
      [1, 0, -2],
      [null, 4, 0],
    ],
  ]);
});

it('radarPoint places the axes clockwise, the first one at the top', () => {
  const points = [0, 1, 2, 3].map((axis) => radarPoint(axis, 4, 10));
  expect(points.map(({ x, y }) => [Math.round(x), Math.round(y)].map(String))).toEqual([
    ['0', '-10'],
    ['10', '0'],
    ['0', '10'],
    ['-10', '0'],
  ]);
});
