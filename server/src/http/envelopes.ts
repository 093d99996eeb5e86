import { type ErrorCode, httpStatusOf } from '@classledger/contract';
import { transientErrorKind } from '../database/transient-errors.ts';
import { AppError, unavailable } from '../errors/app-error.ts';

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** Null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  readonly isServerFault: boolean;
}

export function externalFailure(error: unknown, method: string): Failure {
  const { shown, isServerFault } = shownError(error);
  // A read must not reveal that a record exists outside the range (docs/contract.md, Missing or out of range).
  const isRead = method === 'GET' || method === 'HEAD';
  const { code, message, retryAfterSeconds } = (isRead && shown.errorForReads) || shown;
  return { status: httpStatusOf(code), code, message, retryAfterSeconds, isServerFault };
}

export function internalFailure(error: unknown): Omit<Failure, 'code'> & Pick<AppError, 'reason'> {
  const { shown, isServerFault } = shownError(error);
  const { status, message, retryAfterSeconds, reason } = shown;
  return { status, message, retryAfterSeconds, reason, isServerFault };
}

/** Hides unexpected errors, and lets callers retry after a transient error of the database (docs/contract.md, Errors). */
function shownError(error: unknown): { readonly shown: AppError; readonly isServerFault: boolean } {
  if (error instanceof AppError) return { shown: error, isServerFault: false };
  const kind = transientErrorKind(error);
  if (kind === null) return { shown: new AppError('unexpected', 'Internal error'), isServerFault: true };
  return { shown: kind === 'too slow' ? tooSlow() : unavailable(), isServerFault: true };
}

/** Asks for a pause, because an immediate retry would take as long again. */
const tooSlow = () =>
  new AppError(
    'unavailable',
    'This takes too long; ask for less, for example for one class or fewer days',
    10,
  );
