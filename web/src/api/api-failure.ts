import type { RefusalReason } from '@classledger/contract';

export class ApiFailure extends Error {
  readonly status: number;
  readonly reason: RefusalReason | null;
  /** From Retry-After; null without that header. */
  readonly retryAfterSeconds: number | null;
  /** The id by which an operator finds the call; null when the answer did not come from the API. */
  readonly requestId: string | null;

  constructor(
    status: number,
    message: string,
    retryAfterSeconds: number | null,
    requestId: string | null,
    reason: RefusalReason | null = null,
  ) {
    super(message);
    this.reason = reason;
    this.name = 'ApiFailure';
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

/** The connection failed, so the call may or may not have had an effect. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super('The server could not be reached', { cause });
    this.name = 'NetworkFailure';
  }
}

export class NotConfirmedError extends Error {
  constructor() {
    super('Not confirmed');
    this.name = 'NotConfirmedError';
  }
}

/** Returns whether the server did not answer: it was unreachable, or a machine on the way answered instead. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof NetworkFailure || (error instanceof ApiFailure && error.requestId === null);
}

export function hasStatus(error: unknown, status: number): error is ApiFailure {
  return error instanceof ApiFailure && error.status === status;
}
