import type { RefusalReason } from '@classledger/contract';

/** The server refused or failed. */
export class ApiFailure extends Error {
  readonly status: number;
  /** Null where nothing that the person could do at once would help. */
  readonly reason: RefusalReason | null;
  /** From Retry-After; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** What an operator can find the call by; null where the answer did not come from the API. */
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

/** The server could not be reached: no one knows whether the call had an effect. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super('The server could not be reached', { cause });
    this.name = 'NetworkFailure';
  }
}

/** Nothing was done: it needs that the person confirms who they are, and they did not. */
export class Unconfirmed extends Error {
  constructor() {
    super('Not confirmed');
    this.name = 'Unconfirmed';
  }
}

/** Whether the server was not heard: it could not be reached, or a machine on the way answered in its place. */
export function isUnheard(error: unknown): boolean {
  return error instanceof NetworkFailure || (error instanceof ApiFailure && error.requestId === null);
}

/** Whether an error is a refusal with this status. */
export function hasStatus(error: unknown, status: number): error is ApiFailure {
  return error instanceof ApiFailure && error.status === status;
}
