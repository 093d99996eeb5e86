import { expect, it } from 'vitest';
import {
  canonicalTimeZone,
  dayAt,
  dayNumberAt,
  dayNumberOf,
  dayText,
  schoolYearOf,
  startOfDay,
} from './school-day.ts';

const start = (zone: string, day: string) => new Date(startOfDay(zone, dayNumberOf(day))).toISOString();

it.each([
  ['UTC', '2026-09-01', '2026-09-01T00:00:00.000Z', 24],
  ['Asia/Shanghai', '2026-09-01', '2026-08-31T16:00:00.000Z', 24],
  ['Asia/Kathmandu', '2026-09-01', '2026-08-31T18:15:00.000Z', 24],
  ['Pacific/Kiritimati', '2026-09-01', '2026-08-31T10:00:00.000Z', 24],
  ['Pacific/Pago_Pago', '2026-09-01', '2026-09-01T11:00:00.000Z', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
  // At midnight the clocks go forward to 1:00, or back to 23:00 of the previous day.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
  ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', 25],
  ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z', 24],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
  // At 1:00 the clocks go back to 0:00.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 24],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
])('in %s, the school day %s begins at %s and has %d hours', (zone, day, begins, hours) => {
  const number = dayNumberOf(day);
  const [from, to] = [startOfDay(zone, number), startOfDay(zone, number + 1)];
  expect([new Date(from).toISOString(), (to - from) / 3_600_000]).toEqual([begins, hours]);
  if (hours > 0) expect([dayAt(zone, from), dayAt(zone, to - 1)]).toEqual([day, day]);
  expect(dayNumberAt(zone, from - 1)).toBeLessThan(number);
  expect(dayNumberAt(zone, to)).toBeGreaterThan(number);
});

it('a school day begins when the previous one ends, in every zone for two years', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (let day = dayNumberOf('2026-01-01'); day < dayNumberOf('2028-01-01'); day += 7) {
      const from = startOfDay(zone, day);
      if (dayNumberAt(zone, from) !== day || dayNumberAt(zone, from - 1) !== day - 1) {
        expect.fail(`${dayText(day)} in ${zone}`);
      }
    }
  }
});

it('a school day is computed for the first and last year that filters accept', () => {
  expect(start('America/Santiago', '0001-01-01')).toMatch(/^0001-01-01T04:42/);
  expect(dayAt('Asia/Shanghai', Date.parse('9999-12-31T00:00:00Z'))).toBe('9999-12-31');
});

it.each([
  ['Asia/Shanghai', 'Asia/Shanghai'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Chongqing', 'Asia/Shanghai'],
  ['utc', 'UTC'],
  ['CST', null],
  ['US/Eastern', 'America/New_York'],
  ['Etc/UTC', 'UTC'],
  ['+08:00', null],
  ['GMT+8', null],
  ['Mars/Olympus', null],
  ["UTC'; --", null],
  ['', null],
])('canonicalTimeZone resolves %s to %s', (written, kept) => {
  expect(canonicalTimeZone(written)).toBe(kept);
});

it.each([
  ['2027-07-31', '2026/2027'],
  ['2027-08-01', '2027/2028'],
  ['2027-12-31', '2027/2028'],
  ['2028-01-01', '2027/2028'],
])('the school year of %s is %s', (day, title) => {
  const [, schoolYear = ''] = title.split('/');
  const startDate = `${title.slice(0, 4)}-08-01`;
  expect(schoolYearOf(day)).toEqual({ title, schoolYear, startDate, endDate: `${schoolYear}-08-01` });
});
