/** The server refused or failed. */
export class ApiFailure extends Error {
  readonly status: number;
  /** From Retry-After; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** What an operator can find the call by; null where the answer did not come from the API. */
  readonly requestId: string | null;

  constructor(status: number, message: string, retryAfterSeconds: number | null, requestId: string | null) {
    super(message);
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

/** Whether an error is a refusal with this status. */
export function hasStatus(error: unknown, status: number): error is ApiFailure {
  return error instanceof ApiFailure && error.status === status;
}
