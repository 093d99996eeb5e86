import type { SchoolTime } from '../../school-time/school-time.ts';

/**
 * Returns the school's current day: the server's answer if it is from today, otherwise the device's date.
 *
 * @param saidAt time of the server's answer, by this device's clock
 */
export function dayNow({ today, dayOf }: SchoolTime, said: string | undefined, saidAt: number): string {
  const ofDevice = (at: number) => dayOf(new Date(at).toISOString());
  return said !== undefined && ofDevice(saidAt) === ofDevice(Date.now()) ? said : today();
}
