import type { ErrorCode, RefusalReason } from '@classledger/contract';

/** The external API answers `code`, for which the contract defines the status. The internal API answers `status`. */
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
  unexpected: { code: 50001, status: 500 },
} as const satisfies Record<string, { readonly code: ErrorCode; readonly status: number }>;

export type ErrorKind = keyof typeof errorKinds;

/** An error whose message is safe to show to the caller. Messages of other errors stay internal. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  /** Null when a retry does not help. */
  readonly retryAfterSeconds: number | null;
  /** The error that reads of the external API get instead, to hide that the target exists; otherwise null. */
  readonly errorForReads: AppError | null;
  /** Sent by the internal API, so that pages can ask the person and repeat the call; null if that does not help. */
  readonly reason: RefusalReason | null;

  constructor(
    kind: ErrorKind,
    message: string,
    retryAfterSeconds: number | null = null,
    { errorForReads = null, reason = null }: Partial<Pick<AppError, 'errorForReads' | 'reason'>> = {},
  ) {
    super(message);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errorForReads = errorForReads;
    this.name = 'AppError';
    this.kind = kind;
  }

  /** For the external API, also for single entries of bulk results. */
  get code(): ErrorCode {
    return errorKinds[this.kind].code;
  }

  get status(): number {
    return errorKinds[this.kind].status;
  }
}

/** The credential lacks a permission. The header X-Accepted-Permissions names those that suffice. */
export class PermissionMissingError extends AppError {
  readonly accepted: string;

  constructor(message: string, accepted: string) {
    super('permission_denied', message);
    this.accepted = accepted;
  }
}

export const notFound = (what: string) => new AppError('not_found', `${what} was not found`);

/** Returns an error that lasts until the caller does what the reason says. */
export const refusalWithReason = (reason: RefusalReason, kind: ErrorKind, message: string) =>
  new AppError(kind, message, null, { reason });

/** Returns the error for a target outside the caller's range; reads of the external API get "not found" instead. */
export const outOfRange = (what: string) =>
  new AppError('out_of_range', `${what} is outside your range`, null, { errorForReads: notFound(what) });

export const schoolGone = () => new AppError('school_disabled', 'The school is disabled or deleted');

export const invalidValue = (message: string) => new AppError('invalid_value', message);

/** Returns the error of a full server or a lost database; a write may have happened (docs/contract.md, Errors). */
export const unavailable = () => new AppError('unavailable', 'The server is temporarily unavailable', 1);

export const conflict = (message: string) => new AppError('conflict', message);

export const unusableCategory = (id: number) => invalidValue(`Category ${id} does not exist or is retired`);

/** Returns the error for changes to a student whose data was erased (docs/contract.md, Personal data). */
export const studentErased = () => conflict('The personal data of the student was erased');
