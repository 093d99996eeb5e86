import { describe, expect, it } from 'vitest';
import { isFiltered, readStudentsSearch, sortOf, studentsQuery } from './students-search.ts';

describe('Address of the students page', () => {
  it('keeps valid values', () => {
    const search = {
      q: '李',
      grade: 3,
      class: 12,
      state: 'disabled',
      password: 'atRisk',
      sort: 'totalScore',
      desc: true,
      page: 4,
      size: 200,
    };
    expect(readStudentsSearch(search)).toEqual(search);
  });

  it('drops defaults and invalid values', () => {
    const typed = {
      q: ' ',
      grade: -1,
      class: 'x',
      state: 'gone',
      password: 'secret',
      sort: 'password',
      desc: 1,
      page: 1,
      size: 7,
    };
    expect(readStudentsSearch(typed)).toEqual({});
    expect(readStudentsSearch({ sort: 'username', size: 50 })).toEqual({});
  });

  it('reads a search of digits as text', () => {
    expect(readStudentsSearch({ q: 2026 })).toEqual({ q: '2026' });
  });

  it('becomes the parameters of the API call', () => {
    expect(studentsQuery('school_7', readStudentsSearch({ q: 'li', state: 'active', page: 3 }))).toEqual({
      schoolDb: 'school_7',
      search: 'li',
      disabled: false,
      sortBy: 'username',
      order: 'asc',
    });
    expect(studentsQuery('school_7', { password: 'atRisk' })).toMatchObject({
      passwordState: ['shared', 'unused'],
    });
    expect(sortOf({ sort: 'scoreCount', desc: true })).toEqual({ key: 'scoreCount', descending: true });
    expect([isFiltered({ page: 2 }), isFiltered({ q: 'x' })]).toEqual([false, true]);
  });
});
