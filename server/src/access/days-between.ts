import { dayNumberOf, startOfDay } from '@classledger/contract';
import { invalidValue } from '../app-error.ts';
import type { SchoolData } from './school-data.ts';

interface Days {
  /** `2026-09-01`, a day of the school, or an instant as UTC ISO text with milliseconds; so the other one. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

const earliest = '0001-01-01T00:00:00.000Z';
const latest = '9999-12-31T23:59:59.999Z';

/**
 * The first and the last instant of what date filters of the internal API name (docs/contract.md, Days).
 *
 * @param data null: of no school, whose days are those of UTC
 * @throws AppError invalid_value where the first comes after the last
 */
export async function daysBetween(data: SchoolData | null, { startDate, endDate }: Days) {
  const named = [startDate, endDate].filter((text) => text !== undefined);
  const timeZone = data && named.some(isDay) ? await data.timeZone() : 'UTC';
  const from = startDate && (isDay(startDate) ? startOf(timeZone, startDate, 0) : startDate);
  const to = endDate && (isDay(endDate) ? startOf(timeZone, endDate, 1) : endDate);
  if (from && to && from > to) throw invalidValue('startDate is after endDate');
  return { from, to };
}

const isDay = (text: string) => text.length === 10;

/** The first instant of a day, or the last one before the day after it. */
function startOf(timeZone: string, day: string, after: 0 | 1): string {
  const at = startOfDay(timeZone, dayNumberOf(day) + after) - after;
  // There are no other instants in the database.
  return new Date(Math.min(Math.max(at, Date.parse(earliest)), Date.parse(latest))).toISOString();
}
