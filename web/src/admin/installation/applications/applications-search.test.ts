import { describe, expect, it } from 'vitest';
import { readApplicationsSearch } from './applications-search.ts';

describe('Address of the applications page', () => {
  it.each([
    [{}, {}],
    [{ status: 'pending', page: 1 }, {}],
    [
      { status: 'all', page: 3 },
      { status: 'all', page: 3 },
    ],
    [{ status: 'rejected' }, { status: 'rejected' }],
    [{ status: 'nonsense', page: -2 }, {}],
    [{ status: ['all'], page: 1.5 }, {}],
  ])('keeps valid values and drops invalid values: %j', (raw, read) => {
    expect(readApplicationsSearch(raw)).toEqual(read);
  });
});
