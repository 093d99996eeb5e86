import { type ErrorCode, errorCodes } from '@classledger/contract';
import { AppError, type ErrorKind } from '../app-error.ts';

/** How each kind of error looks at the two doors: an external code, an internal HTTP status. */
const renderings: Record<ErrorKind, { readonly code: ErrorCode; readonly status: number }> = {
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
  rate_limited: { code: 42901, status: 429 },
  unavailable: { code: 50301, status: 503 },
};

/** The external code of an error kind; bulk results use it for single entries too. */
export function codeOf(kind: ErrorKind): ErrorCode {
  return renderings[kind].code;
}

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** Set when the cause is ours and belongs into the log. */
  readonly internal: boolean;
}

/** What an error looks like at the external door. */
export function externalFailure(error: unknown, method: string): Failure {
  const known = asAppError(error);
  if (!known) return { status: 500, code: 50001, message: 'Internal error', internal: true };
  // A read must not tell what exists outside the range (external API, section 7).
  const kind = known.kind === 'out_of_range' && method === 'GET' ? 'not_found' : known.kind;
  const code = codeOf(kind);
  const message =
    kind === known.kind ? known.message : known.message.replace(' is outside the range', ' was not found');
  return { status: errorCodes[code].status, code, message, internal: false };
}

/** What an error looks like at the internal door, which has statuses but no codes. */
export function internalFailure(error: unknown): Omit<Failure, 'code'> {
  const known = asAppError(error);
  if (!known) return { status: 500, message: 'Internal error', internal: true };
  return { status: renderings[known.kind].status, message: known.message, internal: false };
}

/** Fastify's own refusals of a request, in our terms. */
const frameworkErrors: Readonly<Record<string, [ErrorKind, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['malformed', 'The body must be sent as application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is larger than 1 MiB'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'The body is not as long as Content-Length says'],
};

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  const known = frameworkErrors[(error as { code?: string } | null)?.code ?? ''];
  if (known) return new AppError(...known);
  // A body that ends early or a connection that breaks while it is read.
  if ((error as { statusCode?: number } | null)?.statusCode === 400) {
    return new AppError('malformed', 'The request cannot be read');
  }
  return null;
}
