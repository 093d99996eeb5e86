import { type CodeOf, type ErrorCode, errorCodes } from './generated/error-codes.ts';
import type { OperationId } from './generated/operations.ts';

/** The base of the client's errors. An aborted signal's reason is thrown unchanged. */
export abstract class ClassledgerError extends Error {
  readonly operation: OperationId;
  /** The number of attempts. The error is that of the last attempt; an earlier attempt may have succeeded. */
  attempts = 1;

  constructor(operation: OperationId, message: string, options?: ErrorOptions) {
    super(message, options);
    this.operation = operation;
    this.name = new.target.name;
  }
}

export interface AnswerFacts {
  readonly status: number;
  readonly requestId: string;
  readonly originalRequestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly acceptedPermission: string | null;
}

/** The server refused the call. Most HTTP statuses of refusals have a subclass. */
export class ApiError<C extends number = ErrorCode> extends ClassledgerError {
  readonly code: C;
  readonly status: number;
  readonly requestId: string;
  readonly originalRequestId: string | null;
  /** Seconds until a retry makes sense; null when the server names no time. */
  readonly retryAfterSeconds: number | null;
  /** With 40302, the permission that the operation needs. */
  readonly acceptedPermission: string | null;

  constructor(operation: OperationId, code: number, message: string, facts: AnswerFacts) {
    super(operation, `${code} ${message} (${operation}, request ${facts.requestId})`);
    this.code = code as C;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.originalRequestId = facts.originalRequestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.acceptedPermission = facts.acceptedPermission;
  }

  /** What to do about the error; empty for a code that this version of the client does not know. */
  get remedy(): string {
    return (errorCodes as Readonly<Record<number, { remedy: string }>>)[this.code]?.remedy ?? '';
  }
}

export class InvalidRequestError extends ApiError<CodeOf<400>> {}
export class AuthenticationError extends ApiError<CodeOf<401>> {}
/** The credential lacks the permission, or the target lies outside its range. */
export class PermissionError extends ApiError<CodeOf<403>> {}
/** The target does not exist, or a read named something outside the range. */
export class NotFoundError extends ApiError<CodeOf<404>> {}
/** A name is taken, the record belongs to a past term, or the key is in use. */
export class ConflictError extends ApiError<CodeOf<409>> {}
/** The server no longer keeps the changes after the cursor: read the lists again and continue with a new cursor. */
export class CursorTooOldError extends ApiError<CodeOf<410>> {}
/** Too many calls; the client has used up its retries. */
export class RateLimitedError extends ApiError<CodeOf<429>> {
  declare readonly retryAfterSeconds: number;
}
export class ServerError extends ApiError<CodeOf<500>> {}
/** The server is overloaded, stopping, or without its database. A write may have succeeded. */
export class UnavailableError extends ApiError<CodeOf<503>> {}

const classes: Readonly<Record<number, typeof ApiError<number>>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: CursorTooOldError,
  429: RateLimitedError,
  500: ServerError,
  503: UnavailableError,
};

/** Returns the error class of a code. A `RateLimitedError` waits at least a second. */
export function createApiError(
  operation: OperationId,
  code: number,
  message: string,
  facts: AnswerFacts,
): ApiError {
  const Kind = classes[Math.floor(code / 100)] ?? ApiError;
  const seconds = facts.retryAfterSeconds ?? (Kind === (RateLimitedError as unknown) ? 1 : null);
  return new Kind(operation, code, message, { ...facts, retryAfterSeconds: seconds }) as ApiError;
}

/** No answer arrived. A write may have succeeded, unless `neverSent`. */
export class NetworkError extends ClassledgerError {
  readonly neverSent: boolean;

  constructor(operation: OperationId, cause: unknown) {
    const { code, message } = innermost(cause);
    super(operation, `No answer: ${message || code} (${operation})`, { cause });
    this.neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code);
  }
}

/** Finds the system's error inside the error of fetch, which hides it in `cause` or in a list of errors per address. */
function innermost(error: unknown): { code: string; message: string } {
  const { cause, errors, code, message } = error as {
    cause?: unknown;
    errors?: unknown[];
    code?: unknown;
    message?: unknown;
  };
  if (cause) return innermost(cause);
  if (errors?.[0]) return innermost(errors[0]);
  return { code: String(code ?? ''), message: String(message ?? error) };
}

/** No answer arrived in time. A write may have succeeded. */
export class TimeoutError extends ClassledgerError {
  readonly timeoutMs: number;

  constructor(operation: OperationId, timeoutMs: number) {
    super(operation, `No answer within ${timeoutMs} ms (${operation})`);
    this.timeoutMs = timeoutMs;
  }
}

/** The answer is not from the API of Classledger, but from a proxy, a sign-in page or another program. */
export class MalformedAnswerError extends ClassledgerError {
  readonly status: number;
  readonly retryAfterSeconds: number | null;

  constructor(
    operation: OperationId,
    answer: { status: number; text: string; location: string | null; retryAfterSeconds: number | null },
  ) {
    const what = answer.location
      ? `The server redirects to ${answer.location}: give its address as the client's url`
      : `The answer with status ${answer.status} is not from the API: ${answer.text.slice(0, 80)}`;
    super(operation, `${what} (${operation})`);
    this.status = answer.status;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** A bulk request stopped; the failed call may have succeeded. Repeat with `idempotencyKey` to continue safely. */
export class BatchInterruptedError<T = unknown> extends ClassledgerError {
  /** The results of the earlier calls, as if they had been the whole request. */
  readonly results: T;
  /** Index of the first entry without a result. */
  readonly next: number;
  readonly idempotencyKey: string;
  declare readonly cause: unknown;

  constructor(
    operation: OperationId,
    interruption: { results: T; next: number; idempotencyKey: string; cause: unknown },
  ) {
    const why = interruption.cause instanceof Error ? interruption.cause.message : String(interruption.cause);
    super(operation, `Stopped before entry ${interruption.next}: ${why}`, { cause: interruption.cause });
    this.results = interruption.results;
    this.next = interruption.next;
    this.idempotencyKey = interruption.idempotencyKey;
  }
}
