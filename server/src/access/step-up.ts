import type { InternalOperation } from '@classledger/contract';
import { refusedUntil } from '../app-error.ts';
import type { Confirmation } from './sessions.ts';

/** How long a sign-in or a confirmation counts as recent. */
const confirmedForMs = 10 * 60_000;
/** By so much the clocks of several processes may differ. */
const skewMs = 60_000;

/** Until when a session counts as confirmed that is confirmed now. */
export const confirmedUntil = (now: Date) => new Date(now.getTime() + confirmedForMs).toISOString();

/** A call, as far as confirmations depend on it. */
interface Call {
  readonly operation: InternalOperation;
  readonly body: unknown;
  readonly confirmation: Confirmation;
  /** Whether it brings a password in x-confirm-password. */
  readonly hasPassword: boolean;
  /** Whether the operator has every session ask for confirmations. */
  readonly isAlwaysAsked: boolean;
  readonly now: Date;
}

/**
 * Whether the password in x-confirm-password must be checked before the call acts (docs/contract.md, Confirmation).
 *
 * @throws AppError permission_denied with the reason `confirm`: it needs a confirmation and brings no password
 */
export function needsPassword(call: Call): boolean {
  const { operation, body, confirmation, hasPassword, isAlwaysAsked, now } = call;
  const isAsked = isAlwaysAsked || confirmation.isAsked;
  if (isAsked && isStepUp(operation, body) && !isRecent(confirmation.at, now)) {
    if (hasPassword) return true;
    throw refusedUntil(
      'confirm',
      'permission_denied',
      'Confirm that it is you: send your password in the header x-confirm-password, or confirm this session for 10 minutes with POST /api/auth/confirm',
    );
  }
  if (!('confirmPassword' in operation)) return false;
  const { withoutPasswordAt } = confirmation;
  return hasPassword || withoutPasswordAt === null || !isRecent(withoutPasswordAt, now);
}

function isStepUp(operation: InternalOperation, body: unknown): boolean {
  const needed = 'stepUp' in operation && operation.stepUp;
  return needed && (needed === true || needed.when(body as never));
}

/**
 * Whether a sign-in or confirmation counts: someone else may sit at an older session, or have taken it along. One in the
 * future was made before somebody set the clock back, and counts for nothing.
 */
function isRecent(confirmedAt: string, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(confirmedAt);
  return -skewMs <= ageMs && ageMs <= confirmedForMs;
}
