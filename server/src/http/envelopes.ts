import { type ErrorCode, errorCodes } from '@classledger/contract';
import { AppError, type Remedy, unavailable } from '../app-error.ts';
import { troubleOf } from '../database/trouble.ts';

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** When repeating makes sense; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** Set when the cause is ours and belongs into the log. */
  readonly internal: boolean;
}

const unexpected = { status: 500, message: 'Internal error', retryAfterSeconds: null, internal: true };

/** What an error looks like at the external door. */
export function externalFailure(error: unknown, method: string): Failure {
  const trouble = asTrouble(error);
  const thrown = trouble ?? (error instanceof AppError ? error : null);
  if (!thrown) return { ...unexpected, code: 50001 };
  // A read must not tell what exists outside the range (docs/contract.md, Missing or out of range).
  const isRead = method === 'GET' || method === 'HEAD';
  const { code, message, retryAfterSeconds } = (isRead && thrown.disguise) || thrown;
  return { status: errorCodes[code].status, code, message, retryAfterSeconds, internal: trouble !== null };
}

/** What an error looks like at the internal door, which has statuses but no codes. */
export function internalFailure(error: unknown): Omit<Failure, 'code'> & { readonly remedy: Remedy | null } {
  const trouble = asTrouble(error);
  const known = trouble ?? (error instanceof AppError ? error : null);
  if (!known) return { ...unexpected, remedy: null };
  const { status, message, retryAfterSeconds, remedy } = known;
  return { status, message, retryAfterSeconds, remedy, internal: trouble !== null };
}

/**
 * Trouble with the database that passes (docs/contract.md, Errors): the caller may repeat the call, and a write with the
 * same key. Null for any other error.
 */
function asTrouble(error: unknown): AppError | null {
  const trouble = error instanceof AppError ? null : troubleOf(error);
  if (trouble === 'too slow') return tooSlow();
  return trouble && unavailable();
}

/** Asking the same again at once would only take as long again. */
const tooSlow = () =>
  new AppError(
    'unavailable',
    'This takes too long; ask for less, for example for one class or fewer days',
    10,
  );
