import { expect, it } from 'vitest';
import { dayAndTime } from './day-and-time.ts';

it.each([
  ['Asia/Shanghai', '2026-09-01 00:05:09'],
  ['America/New_York', '2026-08-31 12:05:09'],
  ['UTC', '2026-08-31 16:05:09'],
])('dayAndTime writes an instant in local time of %s', (timeZone, expected) => {
  expect(dayAndTime('2026-08-31T16:05:09.000Z', timeZone)).toBe(expected);
});
