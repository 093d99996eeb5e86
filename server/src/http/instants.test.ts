import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInstant } from './instants.ts';

const days = ['2026-09-15', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'];
it.each(days)('a date filter of %s is the whole of that UTC day', (day) => {
  expect(parseInstant(day, 'start')).toBe(`${day}T00:00:00.000Z`);
  expect(parseInstant(day, 'end')).toBe(`${day}T23:59:59.999Z`);
});

it.each([
  ['2026-09-15T10:20:30Z', '2026-09-15T10:20:30.000Z'],
  ['2026-09-15T10:20:30.5Z', '2026-09-15T10:20:30.500Z'],
  ['2026-09-15T10:20:30.123Z', '2026-09-15T10:20:30.123Z'],
  ['2026-09-15t10:20:30z', '2026-09-15T10:20:30.000Z'],
  ['2026-09-15T10:20:30+02:00', '2026-09-15T08:20:30.000Z'],
  ['2026-09-15T10:20:30-05:30', '2026-09-15T15:50:30.000Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
  ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
  ['2026-09-15T10:20:30-00:00', '2026-09-15T10:20:30.000Z'],
  ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000Z'],
])('a date filter of %s is that instant, as a start and as an end', (text, instant) => {
  expect(parseInstant(text, 'start')).toBe(instant);
  expect(parseInstant(text, 'end')).toBe(instant);
});

it('a date filter rounds fractions of a millisecond inwards', () => {
  expect(parseInstant('2026-09-15T10:20:30.1230001Z', 'start')).toBe('2026-09-15T10:20:30.124Z');
  expect(parseInstant('2026-09-15T10:20:30.1239999Z', 'end')).toBe('2026-09-15T10:20:30.123Z');
  expect(parseInstant('2026-09-15T10:20:30.123000Z', 'start')).toBe('2026-09-15T10:20:30.123Z');
  expect(parseInstant('2026-12-31T23:59:59.9999Z', 'start')).toBe('2027-01-01T00:00:00.000Z');
});

const ofNoForm = `
    2026 2026-09 2026-9-15 26-09-15 2026/09/15 15-09-2026 20260915 +2026-09-15 ２０２６-09-15 1789466400000 today`;
const ofNoDay = `
    2026-02-29 1900-02-29 2026-02-30 2026-04-31 2026-00-10 2026-13-10 2026-09-00 2026-09-32 0000-01-01
    2026-02-30T10:20:30Z`;
/** Not an RFC 3339 date-time with seconds and Z or an offset. */
const ofNoTime = `
    2026-09-15T10:20Z 2026-09-15T10:20:30 2026-09-15T10:20:30.Z 2026-09-15T10:20:30,5Z
    2026-09-15T10:20:30+0200 2026-09-15T10:20:30+02 2026-09-15T24:00:00Z 2026-09-15T10:60:00Z
    2026-09-15T10:20:60Z 2026-09-15T10:20:30+24:00 2026-09-15T10:20:30+02:60`;
const outsideOfTheYears1To9999InUtc = '0001-01-01T00:00:00+01:00 9999-12-31T23:59:59-01:00';
const withSpaces = ['', ' ', ' 2026-09-15', '2026-09-15 ', '2026-09-15\n', '2026-09-15 10:20:30Z'];

it.each([
  ...`${ofNoForm} ${ofNoDay} ${ofNoTime} ${outsideOfTheYears1To9999InUtc}`.trim().split(/\s+/),
  ...[...withSpaces, '2026-09-15T10:20:30 02:00'],
])('a date filter rejects "%s"', (text) => {
  expect(parseInstant(text, 'start')).toBeNull();
  expect(parseInstant(text, 'end')).toBeNull();
});

const instants = fc.date({
  min: new Date('0001-01-02T00:00:00.000Z'),
  max: new Date('9999-12-30T00:00:00.000Z'),
  noInvalidDate: true,
});

it('a date filter keeps any instant with milliseconds unchanged, in UTC and with any offset', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
      for (const edge of ['start', 'end'] as const) {
        expect(parseInstant(date.toISOString(), edge)).toBe(date.toISOString());
      }
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const two = (n: number) => String(n).padStart(2, '0');
      const away = Math.abs(minutes);
      const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
      expect(parseInstant(local + offset, 'start')).toBe(date.toISOString());
    }),
  );
});
