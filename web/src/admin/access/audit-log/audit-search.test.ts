import { describe, expect, it } from 'vitest';
import { auditQuery, callOutcomeOf, isFiltered, readAuditSearch } from './audit-search.ts';

describe('Address of the API call log', () => {
  it('keeps valid values and drops invalid values', () => {
    const search = { all: true, token: 5, method: 'POST', status: 403, failed: true, page: 3 };
    expect(readAuditSearch(search)).toEqual(search);
    const typed = { all: 'yes', token: 0, method: 'HEAD', status: 999, failed: 1, page: 1 };
    expect(readAuditSearch(typed)).toEqual({});
  });

  it('becomes the parameters of the API call', () => {
    expect(auditQuery('school_7', { failed: true, token: 5 })).toMatchObject({
      schoolDb: 'school_7',
      tokenId: 5,
      onlyFailed: true,
      page: 1,
    });
  });

  it('counts as filtered only if it has a filter, not for a page number', () => {
    expect(isFiltered({ all: true, page: 2 })).toBe(false);
    expect(isFiltered({ failed: true })).toBe(true);
  });
});

it('callOutcomeOf maps a status to succeeded, refused or broke', () => {
  expect([200, 403, 500].map(callOutcomeOf)).toEqual(['succeeded', 'refused', 'broke']);
});
