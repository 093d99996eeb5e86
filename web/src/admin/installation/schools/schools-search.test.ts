import type { School } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { matchingSchools, readSchoolsSearch } from './schools-search.ts';

const school = (id: number, name: string): School => ({
  id,
  schoolDb: `school_${id}`,
  name,
  disabled: 0,
  createdAt: '2026-09-01T08:00:00.000Z',
  timeZone: 'UTC',
  switchedOffTools: [],
});

describe('Search for schools', () => {
  const schools = [school(1, 'Riverside School'), school(2, '实验小学')];

  it.each([
    ['', [1, 2]],
    [' RIVER ', [1]],
    ['实验', [2]],
    ['school_2', [2]],
    ['nowhere', []],
  ])('matches part of the name or the key: %j', (q, ids) => {
    expect(matchingSchools(schools, q).map(({ id }) => id)).toEqual(ids);
  });

  it('takes text and numbers from the address, and drops other values', () => {
    expect(readSchoolsSearch({ q: 7 })).toEqual({ q: '7' });
    expect(readSchoolsSearch({ q: 'x' })).toEqual({ q: 'x' });
    for (const q of ['', null, undefined, ['x'], {}]) expect(readSchoolsSearch({ q })).toEqual({});
  });
});
