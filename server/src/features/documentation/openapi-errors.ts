import {
  type ErrorCode,
  type ExternalOperation,
  errorCodes,
  hasTargetInPath,
  httpStatusOf,
  scopeTypes,
} from '@classledger/contract';
import { headerReferences, headersOfEveryAnswer } from './openapi-headers.ts';
import type { Json } from './openapi-schemas.ts';

/** All examples share this id, so that body and header agree. */
export const exampleRequestId = '7f0c2b1e-5d0a-4c2f-9a53-0d6f3f1f8a44';

/** Any operation can return these errors (docs/contract.md, Errors). */
const commonErrorCodes: readonly ErrorCode[] = [
  40101, 40102, 40103, 40104, 40105, 40301, 42901, 50001, 50301,
];

/** Returns the operation's own error codes, the common codes, and those that its inputs and target imply. */
export function errorCodesOf(operation: ExternalOperation): ErrorCode[] {
  const writes = operation.method !== 'GET';
  // Adds 40002 to every operation, because any call can contain an unknown parameter.
  const codes = new Set<ErrorCode>([...commonErrorCodes, 40002, ...(operation.errors ?? [])]);
  if (writes) codes.add(40001);
  if (operation.destructive) codes.add(40004);
  if (operation.permission !== null) codes.add(40302);
  if (operation.scopeTypes.length < scopeTypes.length || (writes && operation.target)) codes.add(40303);
  if (hasTargetInPath(operation)) codes.add(40401);
  if (operation.idempotent) codes.add(40901);
  return [...codes].sort((a, b) => a - b);
}

function exampleNameOf(code: ErrorCode): string {
  return errorCodes[code].name
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

export function errorExamples(): Json {
  return Object.fromEntries(
    allErrorCodes().map((code) => {
      const { name, meaning, remedy } = errorCodes[code];
      const value = { code, message: meaning, data: null, requestId: exampleRequestId };
      return [
        exampleNameOf(code),
        { summary: `${code} ${name}`, description: `${meaning} ${remedy}`, value },
      ];
    }),
  );
}

export function errorCodeSchema(codes: readonly ErrorCode[]): Json {
  return {
    type: 'integer',
    enum: codes,
    description:
      'The HTTP status times 100 plus a number. Handle errors by this code and not by the message.',
  };
}

export function allErrorCodes(): ErrorCode[] {
  return Object.keys(errorCodes).map((code) => Number(code) as ErrorCode);
}

export function errorResponses(operation: ExternalOperation): Json {
  const own = errorCodesOf(operation).filter((code) => !isShared(code));
  const responses = Object.entries(groupByStatus(own));
  return {
    ...Object.fromEntries(responses.map(([status, codes]) => [status, errorResponse(Number(status), codes)])),
    ...Object.fromEntries(
      Object.entries(sharedStatuses).map(([status, name]) => [
        status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
  };
}

export function sharedErrorResponses(): Json {
  const shared = Object.entries(groupByStatus(commonErrorCodes.filter(isShared)));
  return Object.fromEntries(
    shared.map(([status, codes]) => [sharedStatuses[Number(status)], errorResponse(Number(status), codes)]),
  );
}

/** Statuses whose codes are the same for all operations, with the names of their shared responses. */
const sharedStatuses: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'TemporarilyUnavailable',
};

function isShared(code: ErrorCode): boolean {
  return httpStatusOf(code) in sharedStatuses;
}

function groupByStatus(codes: readonly ErrorCode[]): Record<string, ErrorCode[]> {
  return Object.groupBy(codes, httpStatusOf) as Record<string, ErrorCode[]>;
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: describeCodes(codes),
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorEnvelope' },
            { type: 'object', required: ['code'], properties: { code: errorCodeSchema(codes) } },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [String(code), { $ref: `#/components/examples/${exampleNameOf(code)}` }]),
        ),
      },
    },
  };
}

/** Puts the codes into the first line, because some viewers show only that line. */
function describeCodes(codes: readonly ErrorCode[]): string {
  const lines = codes.map((code) => {
    const { name, meaning, remedy } = errorCodes[code];
    return `**${code} ${name}**: ${meaning} ${remedy}`;
  });
  if (lines.length === 1) return lines.join();
  return `${codes.join(', ')}.\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** Omits the rate limit headers from 401, because only accepted credentials count against the limits. */
function headersOf(status: number): Json {
  if (status === 401) return headerReferences(['X-Request-Id', 'WWW-Authenticate']);
  const names: string[] = [...headersOfEveryAnswer];
  if (status === 403) names.push('X-Accepted-Permissions');
  if (status === 429 || status === 503) names.push('Retry-After');
  return headerReferences(names);
}
