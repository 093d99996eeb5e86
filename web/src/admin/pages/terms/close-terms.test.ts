import { describe, expect, it } from 'vitest';
import { ApiFailure, NetworkFailure } from '../../../api/api-failure.ts';
import { type ClosedTerm, type Progress, TermCloser } from './close-terms.ts';
import { halfClosedOn } from './term-name.ts';

/** A server that fails as it is told, before or after it has closed the term. */
function fakeServer(faults: Record<number, 'before' | 'after' | 'refuses' | undefined> = {}) {
  const terms = new Map<number, ClosedTerm[]>();
  let next = 1;
  return {
    terms,
    faults,
    latest: async (classId: number) => terms.get(classId)?.at(-1) ?? null,
    close: async (classId: number) => {
      const fault = faults[classId];
      faults[classId] = undefined;
      if (fault === 'refuses') throw new ApiFailure(403, 'no', null, null);
      if (fault === 'before') throw new NetworkFailure(null);
      const term = { id: next++, students: 3, records: 9 };
      terms.set(classId, [...(terms.get(classId) ?? []), term]);
      if (fault === 'after') throw new NetworkFailure(null);
      return term;
    },
  };
}

async function run(closer: TermCloser, classIds: number[]) {
  const states = new Map<number, Progress['state']>();
  await closer.closeAll(classIds, (id, progress) => states.set(id, progress.state));
  return Object.fromEntries(states);
}

describe('closing the terms of several classes', () => {
  it('goes on where one fails, and closes only that one again', async () => {
    const server = fakeServer({ 2: 'before', 3: 'refuses' });
    const closer = new TermCloser(server);
    expect(await run(closer, [1, 2, 3])).toEqual({ 1: 'done', 2: 'failed', 3: 'failed' });
    expect(await run(closer, [2, 3])).toEqual({ 2: 'done', 3: 'done' });
    expect([...server.terms.values()].map((terms) => terms.length)).toEqual([1, 1, 1]);
  });

  it('closes no term twice when the answer gets lost', async () => {
    const server = fakeServer({ 1: 'after' });
    await server.close(2);
    const closer = new TermCloser(server);
    expect(await run(closer, [1, 2])).toEqual({ 1: 'done', 2: 'done' });
    expect(server.terms.get(1)).toHaveLength(1);
    expect(server.terms.get(2)).toHaveLength(2);
  });

  it('asks again first when nothing could be read after the lost answer', async () => {
    const server = fakeServer({ 1: 'after' });
    let offline = false;
    const closer = new TermCloser({
      close: async (id) => {
        offline = true;
        return server.close(id);
      },
      latest: async (id) => {
        if (offline) throw new NetworkFailure(null);
        return server.latest(id);
      },
    });
    expect(await run(closer, [1])).toEqual({ 1: 'failed' });
    offline = false;
    expect(await run(closer, [1])).toEqual({ 1: 'done' });
    expect(server.terms.get(1)).toHaveLength(1);
  });
});

describe('the half of a school year', () => {
  it('is the first from September to February', () => {
    expect(halfClosedOn(new Date(2026, 8, 1))).toEqual({ half: 'first', startYear: 2026 });
    expect(halfClosedOn(new Date(2027, 1, 28))).toEqual({ half: 'first', startYear: 2026 });
    expect(halfClosedOn(new Date(2027, 7, 31))).toEqual({ half: 'second', startYear: 2026 });
  });
});
