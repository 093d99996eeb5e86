import { hasTargetInPath, type InternalOperation, type OwnFailureStatus } from '@classledger/contract';
import { STATUS_CODES } from '../../http/node-http.ts';
import { exampleRequestId } from './openapi-errors.ts';
import { headerReferences } from './openapi-headers.ts';
import type { Json } from './openapi-schemas.ts';

/** Meaning and example message by status (docs/contract.md, Errors). */
const failures: Readonly<Record<number, readonly [meaning: string, example: string]>> = {
  400: [
    'A value is missing, has the wrong type or is out of bounds. The message names the field.',
    'name must have 1 to 100 characters',
  ],
  401: [
    'There is no session, or it has ended. At a sign-in, the user is unknown or the password is wrong.',
    'Sign in first; there is no session or it has ended',
  ],
  403: [
    'Your role does not allow the call, or the target is outside your range. The change may also come from a page of another origin. If `reason` is `confirm`, the call requires a confirmation first.',
    'The class is outside your range',
  ],
  404: ['The named object does not exist, or belongs to another school.', 'The class was not found'],
  409: ['The call conflicts with existing data.', 'A grade named "Grade 3" already exists'],
  413: [
    'The body is too large. The limit is 4 MiB for an import and 1 MiB for a list or an announcement. For all other operations it is 64 KiB.',
    'The body is larger than 64 KiB',
  ],
  429: [
    'Too many attempts. Wait for the number of seconds in `Retry-After`.',
    'Too many attempts; try again in 42 s',
  ],
  500: ['The server failed unexpectedly. If it keeps failing, report the requestId.', 'Internal error'],
  503: [
    'The server is full, is stopping, or cannot reach its database. Retry after the seconds in `Retry-After`. A change may have taken effect.',
    'The server is temporarily unavailable',
  ],
};

const keyInUse = 'The `Idempotency-Key` is in use, or was used on another endpoint.';

function reasonFor(operation: InternalOperation, status: number): string | undefined {
  const reasons: (string | false | undefined)[] = [
    operation.errors?.[status as OwnFailureStatus],
    status === 409 && operation.access === 'admin' && operation.idempotent !== undefined && keyInUse,
  ];
  return reasons.filter(Boolean).join(' ') || undefined;
}

/** Derives the statuses from inputs, targets and access. */
export function failureStatusesOf(operation: InternalOperation): number[] {
  const { method, access } = operation;
  const adminOperation = access === 'admin' ? operation : null;
  const throttled = operation.method === 'GET' ? undefined : operation.throttled;
  const checksPassword = throttled !== undefined && throttled !== 'applications';
  const hasTarget = hasTargetInPath(operation) || adminOperation?.school !== undefined;
  const statuses: (number | false)[] = [
    400,
    (access !== 'public' || checksPassword) && 401,
    (access === 'admin' || method !== 'GET') && 403,
    (hasTarget || reasonFor(operation, 404) !== undefined) && 404,
    reasonFor(operation, 409) !== undefined && 409,
    method !== 'GET' && 413,
    (throttled !== undefined ||
      adminOperation?.confirmPassword === true ||
      adminOperation?.stepUp !== undefined) &&
      429,
    500,
    503,
  ];
  return statuses.filter((status) => status !== false);
}

export function internalErrorResponses(operation: InternalOperation): Json {
  return Object.fromEntries(
    failureStatusesOf(operation).map((status) => {
      const reason = reasonFor(operation, status);
      return [
        status,
        reason ? failure(status, reason) : { $ref: `#/components/responses/${responseNameOf(status)}` },
      ];
    }),
  );
}

export function sharedFailures(): Json {
  const shared = Object.keys(failures).map(Number);
  return Object.fromEntries(
    shared.filter((status) => status !== 409).map((status) => [responseNameOf(status), failure(status)]),
  );
}

const responseNameOf = (status: number) => String(STATUS_CODES[status]).replaceAll(/\W/g, '');

function failure(status: number, reason?: string): Json {
  const [meaning, message] = failures[status] as readonly [string, string];
  return {
    description: reason ?? meaning,
    headers: headerReferences(
      status === 429 || status === 503 ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id'],
    ),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        example: { success: false, data: null, message, requestId: exampleRequestId },
      },
    },
  };
}
