import { dayNumberOf, startOfDay } from '@classledger/contract';
import { invalidValue } from '../errors/app-error.ts';
import type { SchoolData } from './school-data.ts';

interface Days {
  /** A day such as `2026-09-01`, or an instant as UTC ISO text with milliseconds. `endDate` has the same form. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

const earliest = '0001-01-01T00:00:00.000Z';
const latest = '9999-12-31T23:59:59.999Z';

/**
 * Turns `startDate` and `endDate` into the first and last instant of a filter. Days are those of the school, or UTC days
 * without one (docs/contract.md, Days).
 *
 * @throws AppError invalid_value if the start is after the end
 */
export async function resolveDateRange(data: SchoolData | null, { startDate, endDate }: Days) {
  const named = [startDate, endDate].filter((text) => text !== undefined);
  const timeZone = data && named.some(isDay) ? await data.timeZone() : 'UTC';
  const from = startDate && (isDay(startDate) ? startOf(timeZone, startDate, 0) : startDate);
  const to = endDate && (isDay(endDate) ? startOf(timeZone, endDate, 1) : endDate);
  if (from && to && from > to) throw invalidValue('startDate is after endDate');
  return { from, to };
}

const isDay = (text: string) => text.length === 10;

/** Returns the first millisecond of a day, or its last one if `after` is 1. */
function startOf(timeZone: string, day: string, after: 0 | 1): string {
  const at = startOfDay(timeZone, dayNumberOf(day) + after) - after;
  // Limits the result to instants that the database can store.
  return new Date(Math.min(Math.max(at, Date.parse(earliest)), Date.parse(latest))).toISOString();
}
