import type { InternalOperation, InternalOperationId } from '@classledger/contract';
import { exampleRequestId } from './openapi-errors.ts';
import { headerReferences } from './openapi-headers.ts';
import type { Json } from './openapi-schemas.ts';

/** The statuses of failures (docs/contract.md, Errors) with what they mean and an example of the message. */
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
    'The role may not do this, or what is named lies outside the own range. Also: a changing request from a page of another origin.',
    'The class is outside the range',
  ],
  404: ['What is named does not exist, or belongs to another school.', 'The class was not found'],
  409: ['The call does not fit what is there.', 'There is a grade named "Grade 3" already'],
  413: [
    'The body is larger than the operation takes: 1 MiB where it may hold a list or an announcement, 64 KiB elsewhere.',
    'The body is larger than 64 KiB',
  ],
  429: [
    'Too many attempts. Wait for the number of seconds in `Retry-After`.',
    'Too many failed attempts; try again in 42 s',
  ],
  500: ['The server failed unexpectedly. Report the requestId if it stays.', 'Internal error'],
  503: [
    'The server is full, is stopping, or cannot reach its database. Repeat after the seconds in `Retry-After`; a change may have been made.',
    'The server is temporarily unavailable',
  ],
};

const nameTaken = (owner: string) => `${owner} has one of that name already.`;

/** Why an operation may be answered 409. */
const conflicts: Partial<Record<InternalOperationId, string>> = {
  studentLogin:
    'Students of several schools fit, or more than three schools use the username; name the school with `schoolDb`.',
  createSchoolGrade: nameTaken('The school'),
  updateSchoolGrade: nameTaken('The school'),
  createSchoolClass: nameTaken('The grade'),
  updateSchoolClass: nameTaken('The grade'),
  createScoreTemplate: nameTaken('The school, or the class,'),
  updateScoreTemplate: nameTaken('The school, or the class,'),
  createUsers: 'The username is taken.',
  updateUser: 'The username is taken.',
  createAdministrator: 'The username is taken.',
  updateAdministrator: 'The username is taken.',
  revokeScoreLog: 'The record belongs to a closed term.',
  revokeScoreLogs: 'A record belongs to a closed term.',
};
const keyInUse = 'The `Idempotency-Key` is in use, or was used on another endpoint.';

/** Operations that take a password, or that anybody may call and that store something. */
const throttled: ReadonlySet<string> = new Set<InternalOperationId>([
  'login',
  'studentLogin',
  'changeMyPassword',
  'changeStudentPassword',
  'submitApplication',
]);

/** Why an operation may be answered 409; null: it is not. */
function conflictOf(operation: InternalOperation): string | null {
  const reasons = [
    conflicts[operation.id as InternalOperationId],
    operation.access === 'admin' && operation.idempotent ? keyInUse : undefined,
  ].filter((reason) => reason !== undefined);
  return reasons.length === 0 ? null : reasons.join(' ');
}

/** Every status of a failure that an operation can answer, ascending: it follows from what it takes and needs. */
export function failureStatusesOf(operation: InternalOperation): number[] {
  const { method, path, access } = operation;
  const ofAdmin = access === 'admin' ? operation : null;
  const checksPassword = path.startsWith('/auth/') && operation.body !== undefined;
  const takesInput =
    path.includes(':') ||
    operation.query !== undefined ||
    operation.body !== undefined ||
    ofAdmin?.school !== undefined;
  const statuses: (number | false)[] = [
    takesInput && 400,
    (access !== 'public' || checksPassword) && 401,
    (access === 'admin' || method !== 'GET') && 403,
    (path.includes(':') || ofAdmin?.school !== undefined) && 404,
    conflictOf(operation) !== null && 409,
    method !== 'GET' && 413,
    (throttled.has(operation.id) || ofAdmin?.confirmPassword === true) && 429,
    500,
    503,
  ];
  return statuses.filter((status) => status !== false);
}

/** The failures of an operation by status. */
export function internalErrorResponses(operation: InternalOperation): Json {
  return Object.fromEntries(
    failureStatusesOf(operation).map((status) => [
      status,
      status === 409 ? failure(409, conflictOf(operation)) : { $ref: `#/components/responses/${status}` },
    ]),
  );
}

/** The failures that are the same for every operation, for `components.responses`. */
export function sharedFailures(): Json {
  const shared = Object.keys(failures).map(Number);
  return Object.fromEntries(
    shared.filter((status) => status !== 409).map((status) => [status, failure(status)]),
  );
}

function failure(status: number, reason: string | null = null): Json {
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
