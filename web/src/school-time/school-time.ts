import { dayAt, dayNumberOf, dayText, timeZoneHere } from '@classledger/contract/school-day';
import { createContext, use, useMemo } from 'react';
import { serverNow } from './server-clock.ts';

/** The time zone of the school that the pages are about; null where there is none. */
export const SchoolTimeZone = createContext<string | null>(null);

const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which pages show days and times: that of the school, without a school that of the device. */
export function useTimeZone(): string {
  const kept = use(SchoolTimeZone);
  return useMemo(() => (kept && timeZoneHere(kept)) ?? deviceTimeZone(), [kept]);
}

/** What day it is at a school, by the server's clock. */
export interface SchoolTime {
  readonly timeZone: string;
  /** As `2026-09-01`. */
  readonly today: () => string;
  /** The day of an instant. */
  readonly dayOf: (iso: string) => string;
}

export const schoolTimeIn = (timeZone: string): SchoolTime => ({
  timeZone,
  today: () => dayAt(timeZone, serverNow()),
  dayOf: (iso) => dayAt(timeZone, Date.parse(iso)),
});

/** The only way in which pages know what day it is. */
export function useSchoolTime(): SchoolTime {
  const timeZone = useTimeZone();
  return useMemo(() => schoolTimeIn(timeZone), [timeZone]);
}

/** The day so many days before another one. */
export const dayBefore = (day: string, days: number): string => dayText(dayNumberOf(day) - days);
