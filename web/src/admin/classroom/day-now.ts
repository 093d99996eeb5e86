import type { SchoolTime } from '../../school-time/school-time.ts';

/** Returns the school's day: the server's answer if it is from today by this device's clock, else the device's date. */
export function dayNow({ today, dayOf }: SchoolTime, said: string | undefined, saidAt: number): string {
  const ofDevice = (at: number) => dayOf(new Date(at).toISOString());
  return said !== undefined && ofDevice(saidAt) === ofDevice(Date.now()) ? said : today();
}
