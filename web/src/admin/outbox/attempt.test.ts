import { expect, it } from 'vitest';
import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { failedAttempt } from './attempt.ts';

const failure = (status: number, retryAfterSeconds: number | null = null, reason?: 'factor') =>
  new ApiFailure(status, 'no', retryAfterSeconds, 'a request', reason);
const ofProxy = (status: number) => new ApiFailure(status, 'Bad Gateway', null, null);
const timeout = new NetworkFailure(new DOMException('slow', 'TimeoutError'));

it.each([400, 403, 404, 409, 422])('an attempt that fails with status %i is refused', (status) => {
  expect(failedAttempt(failure(status))).toEqual({ outcome: 'refused', problem: { status, message: 'no' } });
});

/** What the failure concerns: the network, the server in general, or this entry. */
const ofNetwork = { isLocal: false, hasServerFailed: false, doubt: 'real', retryAfterMs: null };
const ofServer = { isLocal: true, hasServerFailed: true, doubt: 'slight', retryAfterMs: null };
const tooEarly = { ...ofNetwork, doubt: 'none' };

it.each([
  ['without a network', new NetworkFailure('gone'), ofNetwork],
  ['by a timeout', timeout, { ...ofServer, doubt: 'real' }],
  ['at a proxy with 404', ofProxy(404), { ...ofServer, doubt: 'real' }],
  ['at a proxy with 502', ofProxy(502), { ...ofServer, doubt: 'real' }],
  ['with 500', failure(500), ofServer],
  ['with 503 and two hours', failure(503, 7_200), { ...ofServer, retryAfterMs: 60_000 }],
  ['with 429 and three seconds', failure(429, 3), { ...tooEarly, retryAfterMs: 3_000 }],
  ['with 429 and no time', failure(429, 0), tooEarly],
  ['with 401', failure(401), { ...tooEarly, retryAfterMs: 15_000 }],
  ['for a second factor', failure(403, null, 'factor'), { ...tooEarly, retryAfterMs: 15_000 }],
  [
    'while its key is in use',
    failure(409, 1),
    { ...ofServer, hasServerFailed: false, doubt: 'real', retryAfterMs: 1_000 },
  ],
])('an attempt that fails %s may be repeated', (_how, error, expected) => {
  expect(failedAttempt(error)).toEqual({ outcome: 'unknown', ...expected });
});
