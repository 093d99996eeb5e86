import Type from 'typebox';
import { limits } from './limits.ts';

export const StartDate = Type.String({
  'x-instant': 'start',
  description:
    'YYYY-MM-DD (that day from 00:00:00.000Z, UTC) or an RFC 3339 date-time with seconds and Z or an offset.',
  examples: ['2026-09-01'],
});

export const StartDay = Type.String({
  'x-instant': 'start',
  'x-school-day': true,
  description:
    "YYYY-MM-DD (that day in the school's time zone, from its first instant) or an RFC 3339 date-time with seconds and Z or an offset.",
  examples: ['2026-09-01'],
});

export const Instant = Type.String({
  format: 'date-time',
  'x-instant': 'exact',
  description: 'RFC 3339 date-time with seconds and Z or an offset.',
  examples: ['2026-09-03T01:19:48Z'],
});

export const EndDate = Type.String({
  'x-instant': 'end',
  description:
    'YYYY-MM-DD (that day to 23:59:59.999Z, UTC) or an RFC 3339 date-time with seconds and Z or an offset.',
  examples: ['2026-09-30'],
});

export const EndDay = Type.String({
  'x-instant': 'end',
  'x-school-day': true,
  description:
    "YYYY-MM-DD (that day in the school's time zone, to its last instant) or an RFC 3339 date-time with seconds and Z or an offset.",
  examples: ['2026-09-30'],
});

export const TimeZone = Type.String({
  minLength: 1,
  maxLength: limits.timeZoneLengthMax,
  'x-trim': true,
  description: 'IANA name of the time zone whose days are those of the school.',
  examples: ['Asia/Shanghai'],
});
