import { afterEach, expect, it } from 'vitest';
import { dayAndTime, localDay } from './day-and-time.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it.each([
  ['Asia/Shanghai', '2026-09-01 00:05:09'],
  ['America/New_York', '2026-08-31 12:05:09'],
  ['UTC', '2026-08-31 16:05:09'],
])('writes an instant as it is in %s', (timeZone, expected) => {
  process.env.TZ = timeZone;
  expect(dayAndTime('2026-08-31T16:05:09.000Z')).toBe(expected);
  expect(localDay('2026-08-31T16:05:09.000Z')).toBe(expected.slice(0, 10));
});
