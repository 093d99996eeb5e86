import { expect, it } from 'vitest';
import { axisPositionOf, axisTicks } from './axis-ticks.ts';

it.each([
  [
    [371, 234, -116],
    [-200, 0, 200, 400],
  ],
  [
    [3, 1],
    [0, 1, 2, 3],
  ],
  [[-7], [-8, -6, -4, -2, 0]],
  [[], [0, 1]],
  [
    [0, 0],
    [0, 1],
  ],
  [[1_000_000], [0, 500_000, 1_000_000]],
])('the values %j get chart lines at %j', (values, steps) => {
  expect(axisTicks(values, { whole: true })).toEqual(steps);
});

it('a chart of fractional points gets grid lines at fractional values', () => {
  expect(axisTicks([0.31, -0.12], { whole: false })).toEqual([-0.2, 0, 0.2, 0.4]);
  expect(axisTicks([4.2, -1.1], { whole: false })).toEqual([-2, 0, 2, 4, 6]);
});

it('axisPositionOf places values in proportion', () => {
  const place = axisPositionOf([-200, 0, 200, 400, 600]);
  expect([-200, 0, 200, 600].map(place)).toEqual([0, 25, 50, 100]);
});
