import type { ErrorCode, RefusalReason } from '@classledger/contract';

/**
 * Why a request was refused: a closed table. The external API answers the code, whose status the contract knows; the
 * internal API, which has no codes, the status that stands here.
 */
const errorKinds = {
  malformed: { code: 40001, status: 400 },
  missing_field: { code: 40001, status: 400 },
  invalid_value: { code: 40002, status: 400 },
  missing_parameter: { code: 40003, status: 400 },
  unconfirmed: { code: 40004, status: 400 },
  too_large: { code: 40001, status: 413 },
  unauthenticated: { code: 40101, status: 401 },
  token_missing: { code: 40101, status: 401 },
  token_invalid: { code: 40102, status: 401 },
  token_disabled: { code: 40103, status: 401 },
  token_expired: { code: 40104, status: 401 },
  token_issuer_disabled: { code: 40105, status: 401 },
  school_disabled: { code: 40301, status: 403 },
  permission_denied: { code: 40302, status: 403 },
  out_of_range: { code: 40303, status: 403 },
  not_found: { code: 40401, status: 404 },
  conflict: { code: 40901, status: 409 },
  cursor_expired: { code: 41001, status: 410 },
  rate_limited: { code: 42901, status: 429 },
  unavailable: { code: 50301, status: 503 },
} as const satisfies Record<string, { readonly code: ErrorCode; readonly status: number }>;

export type ErrorKind = keyof typeof errorKinds;

/** What the internal API tells beside the message, so that pages can ask for what is missing and repeat the call. */
export interface Remedy {
  readonly reason: RefusalReason;
}

/** An error whose message may be shown to whoever called. Everything else is internal and is not shown. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  /** When repeating makes sense, in seconds; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** What whoever must not learn that something exists is told instead; null where there is nothing to hide. */
  readonly disguise: AppError | null;
  /** Null where nothing that the caller could do at once would help. */
  readonly remedy: Remedy | null;

  constructor(
    kind: ErrorKind,
    message: string,
    retryAfterSeconds: number | null = null,
    disguise: AppError | null = null,
    remedy: Remedy | null = null,
  ) {
    super(message);
    this.remedy = remedy;
    this.retryAfterSeconds = retryAfterSeconds;
    this.disguise = disguise;
    this.name = 'AppError';
    this.kind = kind;
  }

  /** At the external door; bulk results use it for single entries too. */
  get code(): ErrorCode {
    return errorKinds[this.kind].code;
  }

  /** At the internal door. */
  get status(): number {
    return errorKinds[this.kind].status;
  }
}

/** The credential lacks a permission; the header X-Accepted-Permissions names those that would do. */
export class PermissionMissing extends AppError {
  readonly accepted: string;

  constructor(message: string, accepted: string) {
    super('permission_denied', message);
    this.accepted = accepted;
  }
}

/** The record does not exist in the caller's school. */
export const notFound = (what: string) => new AppError('not_found', `${what} was not found`);

/** Refused until the caller does what the reason says. */
export const refusedUntil = (
  reason: Remedy['reason'],
  kind: 'permission_denied' | 'unauthenticated',
  message: string,
) => new AppError(kind, message, null, null, { reason });

/** The target exists in the school but lies outside the caller's range, or must not be told apart from that. */
export const outOfRange = (what: string) =>
  new AppError('out_of_range', `${what} is outside your range`, null, notFound(what));

/** The school is there no more or may not be used; credentials of it are answered so too. */
export const schoolGone = () => new AppError('school_disabled', 'The school is disabled or deleted');

/** A value has the wrong type or is out of bounds. */
export const invalidValue = (message: string) => new AppError('invalid_value', message);

/** The server is full or its database is away; a write may have been done (docs/contract.md, Errors). */
export const unavailable = (retryAfterSeconds = 1) =>
  new AppError('unavailable', 'The server is temporarily unavailable', retryAfterSeconds);

/** The name is taken or the state does not allow the operation. */
export const conflict = (message: string) => new AppError('conflict', message);

/** What is left of a student whose personal data was erased stays as it is (docs/contract.md, Personal data). */
export const studentErased = () => conflict('The personal data of the student was erased');
