import type { InternalOperation } from '@classledger/contract';
import { refusedUntil } from '../app-error.ts';

/** How long a sign-in or a confirmation lets its session widen power. */
const confirmedForMs = 10 * 60_000;

/**
 * Refuses what widens power in a session whose person has not proved for ten minutes who it is: someone else may sit
 * there, or have taken the session along (docs/contract.md, Confirmation).
 *
 * @throws AppError permission_denied with the reason `confirm`
 */
export function requireConfirmed(
  operation: InternalOperation,
  body: unknown,
  confirmedAt: string,
  now: Date,
): void {
  const needed = 'stepUp' in operation && operation.stepUp;
  if (!needed || (needed !== true && !needed.when(body as never))) return;
  if (now.getTime() - Date.parse(confirmedAt) <= confirmedForMs) return;
  throw refusedUntil(
    'confirm',
    'permission_denied',
    'Confirm that it is you: this needs a sign-in or confirmation of the last 10 minutes',
  );
}
