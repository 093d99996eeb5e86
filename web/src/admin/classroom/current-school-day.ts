import type { SchoolTime } from '../../school-time/school-time.ts';

/** Returns the school's day as the server last said, or the device's date if that answer is not from today. */
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
