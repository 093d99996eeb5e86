import type { RefusalReason } from '@classledger/contract';

export class ApiFailure extends Error {
  readonly status: number;
  readonly reason: RefusalReason | null;
  /** The value of the Retry-After header; null without that header. */
  readonly retryAfterSeconds: number | null;
  /** The id by which an operator finds the call in the log; null when the answer did not come from the API. */
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

/** Thrown when the connection failed. The server may or may not have carried out the call. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super('The server could not be reached', { cause });
    this.name = 'NetworkFailure';
  }
}

/** Thrown when a list changed so often while it was read that entries may be missing. */
export class ListChanged extends Error {}

export class NotConfirmedError extends Error {
  constructor() {
    super('Not confirmed');
    this.name = 'NotConfirmedError';
  }
}

/** Returns whether the server did not answer: the connection failed, or a proxy answered in its place. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof NetworkFailure || (error instanceof ApiFailure && error.requestId === null);
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiFailure {
  return error instanceof ApiFailure && statuses.includes(error.status);
}
