import { describe, expect, it } from 'vitest';
import { isFiltered, listQuery, readStudentsSearch, sortOf } from './students-search.ts';

describe('the address of the students’ page', () => {
  it('keeps what makes sense', () => {
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

  it('leaves out defaults and nonsense', () => {
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

  it('takes a word of digits as a word', () => {
    expect(readStudentsSearch({ q: 2026 })).toEqual({ q: '2026' });
  });

  it('becomes a question to the server', () => {
    expect(listQuery('school_7', readStudentsSearch({ q: 'li', state: 'active', page: 3 }))).toEqual({
      schoolDb: 'school_7',
      search: 'li',
      disabled: false,
      sortBy: 'username',
      order: 'asc',
    });
    expect(listQuery('school_7', { password: 'atRisk' })).toMatchObject({
      passwordState: ['shared', 'unused'],
    });
    expect(sortOf({ sort: 'scoreCount', desc: true })).toEqual({ key: 'scoreCount', descending: true });
    expect([isFiltered({ page: 2 }), isFiltered({ q: 'x' })]).toEqual([false, true]);
  });
});
