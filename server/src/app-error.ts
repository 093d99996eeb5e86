/** Why a request was refused: a closed table. Each door renders a kind in its own envelope, in one place. */
export type ErrorKind =
  | 'malformed'
  | 'missing_field'
  | 'invalid_value'
  | 'missing_parameter'
  | 'unconfirmed'
  | 'unauthenticated'
  | 'token_missing'
  | 'token_invalid'
  | 'token_disabled'
  | 'token_expired'
  | 'token_issuer_disabled'
  | 'school_disabled'
  | 'permission_denied'
  | 'out_of_range'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'too_large'
  | 'unavailable';

/** An error whose message may be shown to whoever called. Everything else is internal and is not shown. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  /** When repeating makes sense, in seconds; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** What whoever must not learn that something exists is told instead; null where there is nothing to hide. */
  readonly disguise: AppError | null;

  constructor(
    kind: ErrorKind,
    message: string,
    retryAfterSeconds: number | null = null,
    disguise: AppError | null = null,
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.disguise = disguise;
    this.name = 'AppError';
    this.kind = kind;
  }
}

/** The record does not exist in the caller's school. */
export const notFound = (what: string) => new AppError('not_found', `${what} was not found`);

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
