import { dayAt, dayNumberOf, dayText, supportedTimeZone } from '@classledger/contract/school-day';
import { createContext, use, useMemo } from 'react';
import { serverNow } from './server-clock.ts';

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
