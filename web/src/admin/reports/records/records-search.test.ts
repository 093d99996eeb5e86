import { describe, expect, it } from 'vitest';
import { filterCount, isDayRangeOrdered, readRecordsSearch, recordsQuery } from './records-search.ts';

describe('Address of the records page', () => {
  it('keeps valid values', () => {
    const search = {
      q: '李',
      grade: 3,
      class: 12,
      kind: 'minus',
      from: '2026-09-01',
      to: '2026-09-30',
      by: 't7',
      term: 2,
      state: 'revoked',
      page: 4,
    };
    expect(readRecordsSearch(search)).toEqual(search);
    expect(filterCount(readRecordsSearch(search))).toBe(8);
  });

  it('drops defaults and invalid values', () => {
    const typed = {
      q: ' ',
      grade: -1,
      class: 'x',
      kind: 'zero',
      from: '2026-99-01',
      to: 5,
      by: 'a0',
      term: 1.5,
      state: 'live',
    };
    expect(readRecordsSearch({ ...typed, page: 1 })).toEqual({});
    expect(readRecordsSearch({ period: 'week', from: '2026-09-01' })).toEqual({ period: 'week' });
    expect(filterCount({ page: 2 })).toBe(0);
  });

  it('becomes a query in days of the school’s time zone', () => {
    const today = '2026-09-05';
    expect(recordsQuery('school_7', { period: 'week', by: 'a4' }, today)).toMatchObject({
      schoolDb: 'school_7',
      startDate: '2026-08-30',
      endDate: undefined,
      adminId: 4,
      tokenId: undefined,
    });
    expect(recordsQuery('school_7', { to: '2026-09-15', by: 't7' }, today)).toMatchObject({
      endDate: '2026-09-15',
      adminId: undefined,
      tokenId: 7,
    });
  });

  it('detects an end day before the start day', () => {
    expect(isDayRangeOrdered({ from: '2026-09-02', to: '2026-09-01' })).toBe(false);
    expect([isDayRangeOrdered({ from: '2026-09-02' }), isDayRangeOrdered({})]).toEqual([true, true]);
  });
});
