import type { InternalOperation } from '@classledger/contract';
import { refusalWithReason } from '../errors/app-error.ts';
import type { Confirmation } from './sessions.ts';

const confirmedForMs = 10 * 60_000;
/** Clocks of different machines may differ by this much. */
const skewMs = 60_000;

export const confirmedUntil = (now: Date) => new Date(now.getTime() + confirmedForMs).toISOString();

interface ConfirmableCall {
  readonly operation: InternalOperation;
  readonly body: unknown;
  readonly confirmation: Confirmation;
  readonly hasPassword: boolean;
  readonly isAlwaysAsked: boolean;
  readonly now: Date;
}

/** Returns whether to check x-confirm-password (docs/contract.md, Confirmation). @throws AppError permission_denied */
export function needsPassword(call: ConfirmableCall): boolean {
  const { operation, body, confirmation, hasPassword, isAlwaysAsked, now } = call;
  const isAsked = isAlwaysAsked || confirmation.asksConfirmations;
  if (isAsked && isStepUp(operation, body) && !isRecent(confirmation.at, now)) {
    if (hasPassword) return true;
    throw refusalWithReason(
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

/** Returns whether a confirmation is recent. A time in the future is not recent, because a clock was set back. */
function isRecent(confirmedAt: string, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(confirmedAt);
  return -skewMs <= ageMs && ageMs <= confirmedForMs;
}
