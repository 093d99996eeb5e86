import type { Json } from './openapi-schemas.ts';

const textHeader = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

export const countHeader = (description: string, example: number): Json => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

export const responseHeaders: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Equals `requestId` in the body. Quote it when you ask the school about a call.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': countHeader(
    'Calls allowed in the current window. A write counts against two limits, and this header shows the one that is closer to exhaustion.',
    600,
  ),
  'X-RateLimit-Remaining': countHeader('Calls left in the current window under the same limit.', 597),
  'X-RateLimit-Reset': countHeader('Seconds until the next window begins.', 42),
  RateLimit: textHeader(
    'Calls left under each limit that the call counts against, in the format of the IETF draft.',
    '"total";r=597;t=42, "write";r=118;t=42',
  ),
  'RateLimit-Policy': textHeader(
    'The limits that apply, in the format of the IETF draft on rate limit headers.',
    '"total";q=600;w=60, "write";q=120;w=60',
  ),
  'Retry-After': {
    description: 'Seconds to wait before the next call.',
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'WWW-Authenticate': textHeader('The required authentication scheme, `Bearer`.', 'Bearer'),
  'X-Accepted-Permissions': textHeader(
    'The permission that the operation requires. Returned only with 40302.',
    'students:write',
  ),
  ETag: textHeader(
    'The entity tag of the returned data. Send it as `If-None-Match` to get a 304 without a body while the data is unchanged.',
    'W/"4pGb1mYvC0lZ8uDq3n7RtA"',
  ),
  Link: textHeader(
    'The URL of the next page, with `rel="next"` (RFC 8288). Returned only if the request sent `after` and another page follows.',
    '</api/v1/students?limit=100&after=9c3xT1sibGlzdFN0dWRlbnRz>; rel="next"',
  ),
  'Idempotency-Replayed': {
    description: 'Returned with the value `true` if the response is the stored response of an earlier call.',
    schema: { type: 'string', const: 'true' },
  },
  'Original-Request-Id': {
    description: 'The request id of the original call. Returned only with a stored response.',
    schema: { type: 'string', format: 'uuid' },
  },
};

export const headersOfEveryAnswer = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;

export const headersOfReplays = ['Idempotency-Replayed', 'Original-Request-Id'] as const;

export function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${toComponentName(name)}` }]),
  );
}

export function namedHeaders(headers: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(headers).map(([name, header]) => [toComponentName(name), header]));
}

/** Removes hyphens, because generators turn component names into identifiers. */
const toComponentName = (header: string) => header.replaceAll('-', '');
