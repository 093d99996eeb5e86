import type { InternalOperation } from '@classledger/contract';
import { refusedUntil } from '../app-error.ts';

/** How long a sign-in or a confirmation lets its session widen power. */
const confirmedForMs = 10 * 60_000;
/** By so much the clocks of several processes may differ. */
const skewMs = 60_000;

/** Until when a session counts as confirmed that is confirmed now. */
export const confirmedUntil = (now: Date) => new Date(now.getTime() + confirmedForMs).toISOString();

/** Whether a call widens power, to go by its operation and its body. */
export function widensPower(operation: InternalOperation, body: unknown): boolean {
  const needed = 'stepUp' in operation && operation.stepUp;
  return needed && (needed === true || needed.when(body as never));
}

/**
 * Refuses what widens power in a session whose person has not proved for ten minutes who it is: someone else may sit
 * there, or have taken the session along (docs/contract.md, Confirmation). A confirmation that is still to come was made
 * before somebody set the clock back, nobody knows when: it counts for nothing.
 *
 * @throws AppError permission_denied with the reason `confirm`
 */
export function requireConfirmed(confirmedAt: string, now: Date): void {
  const ageMs = now.getTime() - Date.parse(confirmedAt);
  if (-skewMs <= ageMs && ageMs <= confirmedForMs) return;
  throw refusedUntil(
    'confirm',
    'permission_denied',
    'Confirm that it is you: this needs a sign-in or confirmation of the last 10 minutes',
  );
}
