import { describe, expect, it } from 'vitest';
import { readApplicationsSearch } from './applications-search.ts';

describe('the address of the applications', () => {
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
  ])('%j', (raw, read) => {
    expect(readApplicationsSearch(raw)).toEqual(read);
  });
});
