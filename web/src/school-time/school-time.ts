import { dayAt, dayNumberOf, dayText } from '@classledger/contract/school-day';
import { createContext, use, useMemo } from 'react';

/** A `supportedTimeZone`, which its provider checks once because a check takes a millisecond. */
export const SchoolTimeZone = createContext<string | null>(null);

const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the device's time zone outside a school, or if the browser does not know the school's. */
export const useTimeZone = (): string => use(SchoolTimeZone) ?? deviceTimeZone();

export interface SchoolTime {
  readonly timeZone: string;
  readonly today: () => string;
  readonly dayOf: (iso: string) => string;
}

export const schoolTimeIn = (timeZone: string): SchoolTime => ({
  timeZone,
  today: () => dayAt(timeZone, serverNow()),
  dayOf: (iso) => dayAt(timeZone, Date.parse(iso)),
});

/** Returns the school's calendar. Take the current day from here, because the device may be in another time zone. */
export function useSchoolTime(): SchoolTime {
  const timeZone = useTimeZone();
  return useMemo(() => schoolTimeIn(timeZone), [timeZone]);
}

export const dayBefore = (day: string, days: number): string => dayText(dayNumberOf(day) - days);

/** Milliseconds to add to `performance.now()` to get the server's time; null until the first answer. */
let clockOffsetMs: number | null = null;

export function readServerClock(date: string | null): void {
  const offsetMs = Date.parse(date ?? '') - performance.now();
  // A slow or cached answer gives a time that is too early, so keep the latest.
  if (!Number.isNaN(offsetMs) && (clockOffsetMs === null || offsetMs > clockOffsetMs))
    clockOffsetMs = offsetMs;
}

/** Returns the time of the server's clock in milliseconds, because a device's clock may be wrong. */
export const serverNow = (): number =>
  clockOffsetMs === null ? Date.now() : Math.round(clockOffsetMs + performance.now());
