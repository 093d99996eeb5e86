/** When the days of the statistics, which are UTC days, begin for a reader. */
export interface DayBeginning {
  /** For example 08:00. */
  readonly time: string;
  /** West of Greenwich a day begins on the day before. */
  readonly onDayBefore: boolean;
}

/**
 * Says when a UTC day begins where the reader is; null where that is midnight.
 *
 * @param timeZone the browser's unless given
 */
export function dayBeginning(language: string, now = Date.now(), timeZone?: string): DayBeginning | null {
  const midnight = new Date(now);
  midnight.setUTCHours(0, 0, 0, 0);
  const zone = timeZone === undefined ? {} : { timeZone };
  const hours = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = new Intl.DateTimeFormat(language, { ...hours, ...zone });
  const inUtc = new Intl.DateTimeFormat(language, { ...hours, timeZone: 'UTC' });
  const time = clock.format(midnight);
  if (time === inUtc.format(midnight)) return null;
  const day = new Intl.DateTimeFormat('en', { day: 'numeric', ...zone }).format(midnight);
  return { time, onDayBefore: Number(day) !== midnight.getUTCDate() };
}
