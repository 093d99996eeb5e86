import { type CodeOf, type ErrorCode, errorCodes } from './generated/error-codes.ts';
import type { OperationId } from './generated/operations.ts';

/** Everything that the client throws by itself; what an abort signal gives as its reason is thrown as it is. */
export abstract class ClassledgerError extends Error {
  /** The operation that was called. */
  readonly operation: OperationId;
  /** How often the call was sent. The error is that of the last attempt: one before it may have been done. */
  attempts = 1;

  constructor(operation: OperationId, message: string, options?: ErrorOptions) {
    super(message, options);
    this.operation = operation;
    this.name = new.target.name;
  }
}

/** What came with an answer. */
export interface AnswerFacts {
  readonly status: number;
  readonly requestId: string;
  readonly originalRequestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly acceptedPermission: string | null;
}

/** The server refused the call. There is a class for every kind of refusal. */
export class ApiError<C extends number = ErrorCode> extends ClassledgerError {
  readonly code: C;
  readonly status: number;
  /** Names the call; quote it when you ask the school about it. */
  readonly requestId: string;
  /** Of a stored answer: the call that got it first. */
  readonly originalRequestId: string | null;
  /** When repeating makes sense; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** With 40302: the permission that the operation needs. */
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

  /** What to do about it, in words; empty for a code that this version of the client does not know. */
  get remedy(): string {
    return (errorCodes as Readonly<Record<number, { remedy: string }>>)[this.code]?.remedy ?? '';
  }
}

/** The request itself is wrong: repeating it cannot help. */
export class InvalidRequestError extends ApiError<CodeOf<400>> {}
/** The credential is missing, unknown, disabled or expired. */
export class AuthenticationError extends ApiError<CodeOf<401>> {}
/** The credential may not do this, or not here. */
export class PermissionError extends ApiError<CodeOf<403>> {}
/** It is not there, or a read named something outside the range. */
export class NotFoundError extends ApiError<CodeOf<404>> {}
/** A name is taken, the record is of a past term, or the key is in use. */
export class ConflictError extends ApiError<CodeOf<409>> {}
/** The cursor is of a time whose changes are no longer kept: read everything anew, and go on from a new cursor. */
export class CursorTooOldError extends ApiError<CodeOf<410>> {}
/** Too many calls; the client has waited as often as it may. */
export class RateLimitedError extends ApiError<CodeOf<429>> {
  declare readonly retryAfterSeconds: number;
}
/** The server failed in a way that nobody expected. */
export class ServerError extends ApiError<CodeOf<500>> {}
/** The server is full, stopping, or without its database. A write may have been done. */
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

/** The error of a refusal, in the class of its code. */
export function refusal(operation: OperationId, code: number, message: string, facts: AnswerFacts): ApiError {
  const Kind = classes[Math.floor(code / 100)] ?? ApiError;
  const seconds = facts.retryAfterSeconds ?? (Kind === (RateLimitedError as unknown) ? 1 : null);
  return new Kind(operation, code, message, { ...facts, retryAfterSeconds: seconds }) as ApiError;
}

/** No answer came. A write may have been done, unless `neverSent`. */
export class NetworkError extends ClassledgerError {
  /** Whether it is certain that the server never saw the call. */
  readonly neverSent: boolean;

  constructor(operation: OperationId, cause: unknown) {
    const { code, message } = innermost(cause);
    super(operation, `No answer: ${message || code} (${operation})`, { cause });
    this.neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code);
  }
}

/** What fetch says hides what the system says in its cause, or in those of several addresses. */
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

/** No answer came in time. A write may have been done. */
export class TimeoutError extends ClassledgerError {
  readonly timeoutMs: number;

  constructor(operation: OperationId, timeoutMs: number) {
    super(operation, `No answer within ${timeoutMs} ms (${operation})`);
    this.timeoutMs = timeoutMs;
  }
}

/** Whatever answered is not the API of Classledger: a proxy, a page of a sign-in, another program. */
export class MalformedAnswerError extends ClassledgerError {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  /** The beginning of what came. */
  readonly beginning: string;

  constructor(
    operation: OperationId,
    answer: { status: number; text: string; location: string | null; retryAfterSeconds: number | null },
  ) {
    const beginning = answer.text.slice(0, 200);
    const what = answer.location
      ? `The server redirects to ${answer.location}: give its address as the client's url`
      : `The answer with status ${answer.status} is none of the API: ${beginning.slice(0, 80)}`;
    super(operation, `${what} (${operation})`);
    this.status = answer.status;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.beginning = beginning;
  }
}

/**
 * A bulk request of several calls stopped in the middle. `results` tells what is certain; the call that failed may have been
 * done, too. Make the same request with `idempotencyKey` again: what was done is not done twice, and its results come again.
 */
export class BatchInterruptedError<T = unknown> extends ClassledgerError {
  /** The results of the calls before, as if they had been the whole request. */
  readonly results: T;
  /** Place of the first entry without a result. */
  readonly next: number;
  readonly idempotencyKey: string;
  declare readonly cause: unknown;

  constructor(
    operation: OperationId,
    of: { results: T; next: number; idempotencyKey: string; cause: unknown },
  ) {
    const why = of.cause instanceof Error ? of.cause.message : String(of.cause);
    super(operation, `Stopped before entry ${of.next}: ${why}`, { cause: of.cause });
    this.results = of.results;
    this.next = of.next;
    this.idempotencyKey = of.idempotencyKey;
  }
}
