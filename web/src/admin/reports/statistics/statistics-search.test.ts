import { describe, expect, it } from 'vitest';
import { readStatisticsSearch } from './statistics-search.ts';

describe('Address of the statistics page', () => {
  it('keeps valid values', () => {
    const search = { days: 366, grade: 3, class: 12, by: 'improvement', page: 2 };
    expect(readStatisticsSearch(search)).toEqual(search);
  });

  it('drops defaults and invalid values', () => {
    expect(readStatisticsSearch({ days: 30, by: 'total', page: 1 })).toEqual({});
    expect(readStatisticsSearch({ days: 31, grade: -1, class: 'x', by: 'luck', page: 0.5 })).toEqual({});
  });
});
