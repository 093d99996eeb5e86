import type { SchoolTime } from '../../school-time/school-time.ts';

/**
 * Which day it is at a school: what the server has said, as long as it said so on this day; later, as without a network, what the
 * clock says.
 *
 * @param saidAt when the server said so, by the clock of this device
 */
export function dayNow({ today, dayOf }: SchoolTime, said: string | undefined, saidAt: number): string {
  const ofDevice = (at: number) => dayOf(new Date(at).toISOString());
  return said !== undefined && ofDevice(saidAt) === ofDevice(Date.now()) ? said : today();
}
