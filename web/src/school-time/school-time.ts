import { dayAt, dayNumberOf, dayText, supportedTimeZone } from '@classledger/contract/school-day';
import { createContext, use, useMemo } from 'react';

export const SchoolTimeZone = createContext<string | null>(null);

const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useTimeZone(): string {
  const kept = use(SchoolTimeZone);
  return useMemo(() => (kept && supportedTimeZone(kept)) ?? deviceTimeZone(), [kept]);
}

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
