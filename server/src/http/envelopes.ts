import { type ErrorCode, errorCodes } from '@classledger/contract';
import { AppError, type ErrorKind, unavailable } from '../app-error.ts';
import { troubleOf } from '../database/trouble.ts';

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
  /** When repeating makes sense; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** Set when the cause is ours and belongs into the log. */
  readonly internal: boolean;
}

const unexpected = { status: 500, message: 'Internal error', retryAfterSeconds: null, internal: true };

/** What an error looks like at the external door. */
export function externalFailure(error: unknown, method: string): Failure {
  const trouble = asTrouble(error);
  const thrown = trouble ?? asAppError(error);
  if (!thrown) return { ...unexpected, code: 50001 };
  // A read must not tell what exists outside the range (docs/contract.md, Missing or out of range).
  const { kind, message, retryAfterSeconds } = (method === 'GET' && thrown.disguise) || thrown;
  const code = codeOf(kind);
  return { status: errorCodes[code].status, code, message, retryAfterSeconds, internal: trouble !== null };
}

/** What an error looks like at the internal door, which has statuses but no codes. */
export function internalFailure(error: unknown): Omit<Failure, 'code'> {
  const trouble = asTrouble(error);
  const known = trouble ?? asAppError(error);
  if (!known) return unexpected;
  const { kind, message, retryAfterSeconds } = known;
  return { status: renderings[kind].status, message, retryAfterSeconds, internal: trouble !== null };
}

/**
 * Trouble with the database that passes (docs/contract.md, Errors): the caller may repeat the call, and a write with the
 * same key. Null for any other error.
 */
function asTrouble(error: unknown): AppError | null {
  const trouble = error instanceof AppError ? null : troubleOf(error);
  if (trouble === 'too slow') return tooSlow();
  return trouble && unavailable();
}

/** Asking the same again at once would only take as long again. */
const tooSlow = () =>
  new AppError(
    'unavailable',
    'This takes too long; ask for less, for example for one class or fewer days',
    10,
  );

/** Fastify's own refusals of a request, in our terms. */
const frameworkErrors: Readonly<Record<string, [ErrorKind, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['malformed', 'The body must be sent as application/json'],
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
