import { expect, it } from 'vitest';
import { ApiFailure, isUnreachable, NetworkFailure } from './api-failure.ts';

it.each([
  ['nobody answers', new NetworkFailure(null), true],
  ['a proxy answers 502', new ApiFailure(502, 'Bad Gateway', null, null), true],
  ['a proxy answers 503', new ApiFailure(503, 'Service Unavailable', 5, null), true],
  ['the server answers 500', new ApiFailure(500, 'It failed', null, 'a1'), false],
  ['the server answers 503', new ApiFailure(503, 'Try again', 5, 'a1'), false],
  ['the server answers 401', new ApiFailure(401, 'Sign in', null, 'a1'), false],
  ['the call succeeds', null, false],
])('isUnreachable decides whether the server did not answer when %s', (_, error, isExpected) => {
  expect(isUnreachable(error)).toBe(isExpected);
});
