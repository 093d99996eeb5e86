import type { Json } from './openapi-schemas.ts';

const count: Json = { type: 'integer', minimum: 0 };

export const responseHeaders: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Equals `requestId` in the body. Quote it when you ask the school about a call.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description:
      'Calls allowed in the window, of the limit that is closer to being used up: all calls or, for a write, the writes.',
    schema: count,
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'Calls left of that limit in the current window.',
    schema: count,
    example: 597,
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until a new window begins.',
    schema: count,
    example: 42,
  },
  RateLimit: {
    description: 'What is left of each limit that the call counts in, in the form of the IETF draft.',
    schema: { type: 'string' },
    example: '"total";r=597;t=42, "write";r=118;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limits that apply, in the form of the IETF draft on rate limit headers.',
    schema: { type: 'string' },
    example: '"total";q=600;w=60, "write";q=120;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next call.',
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'WWW-Authenticate': {
    description: 'The scheme that is expected: `Bearer`.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'X-Accepted-Permissions': {
    description: 'With 40302 only: the permission that the operation needs.',
    schema: { type: 'string' },
    example: 'students:write',
  },
  ETag: {
    description:
      'Names the data of this answer. Send it as `If-None-Match`, and the answer is 304 without a body as long as nothing has changed.',
    schema: { type: 'string' },
    example: 'W/"4pGb1mYvC0lZ8uDq3n7RtA"',
  },
  Link: {
    description: 'Where `after` was sent and a page follows: its address, with `rel="next"` (RFC 8288).',
    schema: { type: 'string' },
    example: '</api/v1/students?limit=100&after=9c3xT1sibGlzdFN0dWRlbnRz>; rel="next"',
  },
  'Idempotency-Replayed': {
    description: 'Present, with the value `true`, when this is the stored answer of an earlier call.',
    schema: { type: 'string', const: 'true' },
  },
  'Original-Request-Id': {
    description: 'On a replay: the request id of the call that did the work.',
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

export const headersOfReads = ['ETag'] as const;
export const headersOfLists = ['Link'] as const;

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
