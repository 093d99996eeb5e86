import { expect, it } from 'vitest';
import { dayBeginning } from './day-beginning.ts';

const summer = Date.UTC(2026, 6, 1, 15);
const winter = Date.UTC(2026, 0, 1, 15);

it.each([
  ['Asia/Shanghai', summer, { time: '08:00', onDayBefore: false }],
  ['Asia/Kolkata', summer, { time: '05:30', onDayBefore: false }],
  ['Pacific/Auckland', winter, { time: '13:00', onDayBefore: false }],
  ['America/New_York', winter, { time: '19:00', onDayBefore: true }],
  ['Europe/London', summer, { time: '01:00', onDayBefore: false }],
  ['Europe/London', winter, null],
  ['UTC', summer, null],
])('says when a UTC day begins in %s', (timeZone, now, expected) => {
  expect(dayBeginning('en', now, timeZone)).toEqual(expected);
  expect(dayBeginning('zh', now, timeZone)).toEqual(expected);
});
