import { expect, it } from 'vitest';
import { createMonotonicClock } from './clock.ts';

it('the monotonic clock counts suspended time and does not go back with the wall clock', () => {
  let [counted, wall] = [0, 1_700_000_000_000];
  const monotonic = createMonotonicClock(
    () => counted,
    () => wall,
  );
  const pass = (milliseconds: number) => {
    counted += milliseconds;
    wall += milliseconds;
  };
  pass(500);
  expect(monotonic()).toBe(500);
  wall += 5_000;
  expect(monotonic()).toBe(5_500);
  pass(10);
  expect(monotonic()).toBe(5_510);
  wall -= 3_600_000;
  pass(10);
  expect(monotonic()).toBe(5_520);
});
