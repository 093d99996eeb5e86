import { type ErrorCode, errorCodes } from '@classledger/contract';
import { transientErrorKind } from '../database/transient-errors.ts';
import { AppError, type Remedy, unavailable } from '../errors/app-error.ts';

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** Null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  readonly isServerFault: boolean;
}

const unexpected = { status: 500, message: 'Internal error', retryAfterSeconds: null, isServerFault: true };

export function externalFailure(error: unknown, method: string): Failure {
  const databaseError = databaseErrorOf(error);
  const thrown = databaseError ?? (error instanceof AppError ? error : null);
  if (!thrown) return { ...unexpected, code: 50001 };
  // A read must not reveal that a record exists outside the range (docs/contract.md, Missing or out of range).
  const isRead = method === 'GET' || method === 'HEAD';
  const { code, message, retryAfterSeconds } = (isRead && thrown.errorForReads) || thrown;
  return {
    status: errorCodes[code].status,
    code,
    message,
    retryAfterSeconds,
    isServerFault: databaseError !== null,
  };
}

export function internalFailure(error: unknown): Omit<Failure, 'code'> & { readonly remedy: Remedy | null } {
  const databaseError = databaseErrorOf(error);
  const known = databaseError ?? (error instanceof AppError ? error : null);
  if (!known) return { ...unexpected, remedy: null };
  const { status, message, retryAfterSeconds, remedy } = known;
  return { status, message, retryAfterSeconds, remedy, isServerFault: databaseError !== null };
}

/** Returns the error for a transient error of the database, which callers can retry (docs/contract.md, Errors). */
function databaseErrorOf(error: unknown): AppError | null {
  const kind = error instanceof AppError ? null : transientErrorKind(error);
  if (kind === 'too slow') return tooSlow();
  return kind && unavailable();
}

/** Asks for a pause, because an immediate retry would take as long again. */
const tooSlow = () =>
  new AppError(
    'unavailable',
    'This takes too long; ask for less, for example for one class or fewer days',
    10,
  );
