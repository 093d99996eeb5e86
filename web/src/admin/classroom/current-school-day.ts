import type { SchoolTime } from '../../school-time/school-time.ts';

/** Returns the school's day: the server's answer if it is from today by this device's clock, else the device's date. */
export function currentSchoolDay(
  { today, dayOf }: SchoolTime,
  serverDay: string | undefined,
  serverDayAt: number,
): string {
  const deviceDayOf = (at: number) => dayOf(new Date(at).toISOString());
  return serverDay !== undefined && deviceDayOf(serverDayAt) === deviceDayOf(Date.now())
    ? serverDay
    : today();
}
