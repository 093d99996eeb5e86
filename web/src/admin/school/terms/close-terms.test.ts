import { describe, expect, it } from 'vitest';
import { ApiFailure, NetworkFailure } from '../../../api/api-failure.ts';
import { type ClosedTerm, type ClosingProgress, schoolYearHalfOf, termCloser } from './close-terms.ts';

function fakeServer(faults: Record<number, ('before' | 'after' | 'refuses')[]> = {}) {
  const terms = new Map<number, Map<string, ClosedTerm>>();
  let next = 1;
  return {
    closedOf: (classId: number) => terms.get(classId)?.size ?? 0,
    close: async (classId: number, key: string) => {
      const fault = faults[classId]?.shift();
      if (fault === 'refuses') throw new ApiFailure(403, 'no', null, null);
      if (fault === 'before') throw new NetworkFailure(null);
      const known = terms.get(classId) ?? new Map<string, ClosedTerm>();
      const term = known.get(key) ?? { id: next++, students: 3, records: 9 };
      terms.set(classId, known.set(key, term));
      if (fault === 'after') throw new NetworkFailure(null);
      return term;
    },
  };
}

async function run(closeAll: ReturnType<typeof termCloser>, classIds: number[]) {
  const states = new Map<number, ClosingProgress['state']>();
  await closeAll(classIds, (id, progress) => states.set(id, progress.state));
  return Object.fromEntries(states);
}

describe('Closing the terms of several classes', () => {
  it('continues after a failure, and a retry closes only the terms that failed', async () => {
    const server = fakeServer({ 2: ['before', 'before'], 3: ['refuses'] });
    const closeAll = termCloser(server.close);
    expect(await run(closeAll, [1, 2, 3])).toEqual({ 1: 'done', 2: 'failed', 3: 'failed' });
    expect(await run(closeAll, [2, 3])).toEqual({ 2: 'done', 3: 'done' });
    expect([1, 2, 3].map(server.closedOf)).toEqual([1, 1, 1]);
  });

  it('closes no term twice when an answer is lost', async () => {
    const server = fakeServer({ 1: ['after'], 2: ['after', 'before'] });
    const closeAll = termCloser(server.close);
    expect(await run(closeAll, [1, 2])).toEqual({ 1: 'done', 2: 'failed' });
    expect(await run(closeAll, [2])).toEqual({ 2: 'done' });
    expect([1, 2].map(server.closedOf)).toEqual([1, 1]);
  });
});

describe('Half of a school year', () => {
  it('is the first from September to February', () => {
    expect(schoolYearHalfOf('2026-09-01')).toEqual({ half: 'first', startYear: 2026 });
    expect(schoolYearHalfOf('2027-02-28')).toEqual({ half: 'first', startYear: 2026 });
    expect(schoolYearHalfOf('2027-08-31')).toEqual({ half: 'second', startYear: 2026 });
  });
});
