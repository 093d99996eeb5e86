import type { Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { addSavedPoints, addSavedTeamPoints, failedAttempt } from './get-scoring-queue.ts';

const failure = (status: number, retryAfterSeconds: number | null = null) =>
  failedAttempt(new ApiFailure(status, 'no', retryAfterSeconds, 'a request'));

describe('Failure of a tap', () => {
  it.each([500, 502, 503, 429, 401])('with status %i can be retried', (status) => {
    expect(failure(status).outcome).toBe('unknown');
  });

  it.each([400, 403, 404, 409, 422])('with status %i is a refusal', (status) => {
    expect(failure(status)).toEqual({ outcome: 'refused', problem: { status, message: 'no' } });
  });

  it('with reason factor is retried after 15 seconds and leaves no doubt', () => {
    const first = failedAttempt(new ApiFailure(403, 'no', null, 'a request', 'factor'));
    expect(first).toMatchObject({ outcome: 'unknown', retryAfterMs: 15_000, isLocal: false, doubt: 'none' });
  });

  it('from a proxy has an unknown outcome', () => {
    const ofProxy = failedAttempt(new ApiFailure(404, 'Not Found', null, null));
    expect(ofProxy).toMatchObject({ outcome: 'unknown', isLocal: true });
  });

  it('waits as long as the server asks, but at most a minute', () => {
    expect(failure(429, 3)).toMatchObject({ outcome: 'unknown', retryAfterMs: 3_000, isLocal: false });
    expect(failure(429, 0)).toMatchObject({ retryAfterMs: null });
    expect(failure(503, 7_200)).toMatchObject({ retryAfterMs: 60_000 });
  });

  it('with 409 delays this tap only, and does not count as a failure', () => {
    const once = { isLocal: true, hasServerFailed: false, doubt: 'real' };
    expect(failure(409, 1)).toMatchObject({ outcome: 'unknown', retryAfterMs: 1_000, ...once });
  });

  it('leaves more or less doubt whether the tap counts, depending on its source', () => {
    const doubts = [500, 429, 401].map((status) => failure(status));
    expect(doubts).toMatchObject([{ doubt: 'slight' }, { doubt: 'none' }, { doubt: 'none' }]);
    expect(failedAttempt(new ApiFailure(502, 'Bad Gateway', null, null))).toMatchObject({ doubt: 'real' });
  });

  it('of the server, or a timeout, counts against the tap, so others may pass it', () => {
    expect(failure(503)).toMatchObject({ isLocal: true, hasServerFailed: true });
    const timedOut = new NetworkFailure(new DOMException('slow', 'TimeoutError'));
    expect(failedAttempt(timedOut)).toMatchObject({ outcome: 'unknown', isLocal: true });
  });

  it('of the network does not count against the tap', () => {
    expect(failedAttempt(new NetworkFailure('gone'))).toEqual({
      outcome: 'unknown',
      retryAfterMs: null,
      isLocal: false,
      hasServerFailed: false,
      doubt: 'real',
    });
  });
});

describe('Saved points', () => {
  const totals = { totalScore: 5, addScore: 6, deductScore: -1, scoreCount: 2 };
  const roster = [1, 2].map((id) => ({ id, ...totals }) as Student);
  const saved = (change: number, times: 1 | -1) =>
    addSavedPoints(roster, {
      ...{ studentIds: new Set([2]), teamIds: new Set() },
      change,
      times,
      isLate: false,
    });

  it('leave the objects of other students unchanged', () => {
    expect(saved(3, 1)[0]).toBe(roster[0]);
  });

  it.each([
    [3, 1, { totalScore: 8, addScore: 9, deductScore: -1, scoreCount: 3 }],
    [-1, 1, { totalScore: 4, addScore: 6, deductScore: -2, scoreCount: 3 }],
    [-1, -1, { totalScore: 6, addScore: 6, deductScore: 0, scoreCount: 1 }],
  ] as const)('of %i, %i times, change the right sums', (change, times, sums) => {
    expect(saved(change, times)[1]).toMatchObject(sums);
  });
});

describe('Saved points of teams', () => {
  const team = (id: number, userIds: number[]) => ({
    ...{ id, name: `Team ${id}`, colour: 1, rank: 1 },
    ...{ userIds, memberPoints: 6, ownPoints: 1, points: 4 },
  });
  const known = {
    classId: 1,
    version: '1',
    ranking: 'average' as const,
    teams: [team(1, [1, 2]), team(2, [3, 4])],
  };

  it('change the team’s own points or its members’, averaged over the members', () => {
    const none = new Set<number>();
    const own = addSavedTeamPoints(known, {
      studentIds: none,
      teamIds: new Set([2]),
      change: 3,
      times: 1,
      isLate: false,
    });
    expect(own.teams[0]).toBe(known.teams[0]);
    expect(own.teams[1]).toMatchObject({ memberPoints: 6, ownPoints: 4, points: 7 });
    const back = {
      studentIds: new Set([1, 3, 9]),
      teamIds: none,
      change: 3,
      times: -1 as const,
      isLate: false,
    };
    expect(addSavedTeamPoints(known, back).teams).toMatchObject([
      { memberPoints: 3, ownPoints: 1, points: 2.5 },
      { memberPoints: 3, ownPoints: 1, points: 2.5 },
    ]);
    expect(addSavedTeamPoints({ ...known, ranking: 'sum' }, back).teams[0]).toMatchObject({ points: 1 });
  });
});
