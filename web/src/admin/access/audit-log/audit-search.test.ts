import { describe, expect, it } from 'vitest';
import { auditQuery, isFiltered, outcomeOf, readAuditSearch } from './audit-search.ts';

describe('the address of the audit log', () => {
  it('keeps what makes sense and leaves out the rest', () => {
    const search = { all: true, token: 5, method: 'POST', status: 403, failed: true, page: 3 };
    expect(readAuditSearch(search)).toEqual(search);
    const typed = { all: 'yes', token: 0, method: 'HEAD', status: 999, failed: 1, page: 1 };
    expect(readAuditSearch(typed)).toEqual({});
  });

  it('becomes a question to the server', () => {
    expect(auditQuery('school_7', { failed: true, token: 5 })).toMatchObject({
      schoolDb: 'school_7',
      tokenId: 5,
      onlyFailed: true,
      page: 1,
    });
  });

  it('knows whether it narrows anything', () => {
    expect(isFiltered({ all: true, page: 2 })).toBe(false);
    expect(isFiltered({ failed: true })).toBe(true);
  });
});

it('sorts statuses by what they mean', () => {
  expect([200, 403, 500].map(outcomeOf)).toEqual(['succeeded', 'refused', 'broke']);
});
