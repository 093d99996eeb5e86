import { hasTargetInPath, type InternalOperation, type OwnFailureStatus } from '@classledger/contract';
import { STATUS_CODES } from '../../http/node-http.ts';
import { exampleRequestId } from './openapi-errors.ts';
import { headerReferences } from './openapi-headers.ts';
import type { Json } from './openapi-schemas.ts';

/** Meaning and example message by status (docs/contract.md, Errors). */
const failures: Readonly<Record<number, readonly [meaning: string, example: string]>> = {
  400: [
    'A value is missing, of the wrong type or out of bounds. The message names it.',
    'name must have 1 to 100 characters',
  ],
  401: [
    'Nobody is signed in, or the session has ended; at a login: unknown user or wrong password.',
    'Sign in first; there is no session or it has ended',
  ],
  403: [
    'The role may not do this, or the target is outside your range, or a page of another origin sent the change, or the call needs a confirmation first: `reason` says so.',
    'The class is outside your range',
  ],
  404: ['What is named does not exist, or belongs to another school.', 'The class was not found'],
  409: ['The call conflicts with existing data.', 'A grade named "Grade 3" already exists'],
  413: [
    'The body is larger than the operation takes: 4 MiB for an import, 1 MiB where it may hold a list or an announcement, 64 KiB elsewhere.',
    'The body is larger than 64 KiB',
  ],
  429: [
    'Too many attempts. Wait for the number of seconds in `Retry-After`.',
    'Too many attempts; try again in 42 s',
  ],
  500: ['The server failed unexpectedly. Report the requestId if it stays.', 'Internal error'],
  503: [
    'The server is full, is stopping, or cannot reach its database. Repeat after the seconds in `Retry-After`; a change may have been made.',
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
