import type { School } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { periodOf, readActivitySearch, readAdministratorsSearch, readAuditSearch } from './access/search.ts';
import { matchingSchools, readApplicationsSearch, readSchoolsSearch } from './installation/search.ts';
import {
  filterCount,
  isDayRangeOrdered,
  readRecordsSearch,
  recordsQuery,
} from './reports/records/records-search.ts';
import { readStatisticsSearch } from './reports/statistics/statistics-search.ts';
import {
  describeFilters,
  parseDay,
  parseFlag,
  parseId,
  parseOneOf,
  parseOneOrDefault,
  parsePage,
  parseWords,
  searchReader,
} from './search-parameters.ts';
import { readStudentSearch, readStudentsSearch, sortOf, studentsQuery } from './students/students-search.ts';

const days = { from: '2026-09-01', to: '2026-09-30' };
const inClass = { q: '李', grade: 3, class: 12 };
const sorted = { sort: 'totalScore', desc: true, size: 200 };

describe('Search parameter', () => {
  it.each([
    ['an id', parseId, [1, 2 ** 53 - 1], [0, -1, 1.5, 2 ** 53, '7', null, undefined, {}]],
    ['a page', parsePage, [2, 90], [1, 0, -2, '2', 'abc', undefined]],
    ['a day', parseDay, ['2026-09-15', '2024-02-29'], ['2026-13-01', '15.9.2026', '', 20260915, undefined]],
    ['a flag', parseFlag, [true], [false, 1, 'true', undefined]],
    ['one of some', (value: unknown) => parseOneOf([7, 30], value), [7, 30], [8, '7', [7], undefined]],
  ])('is %s, or undefined when invalid', (_, read, sense, nonsense) => {
    for (const value of sense) expect(read(value)).toBe(value);
    for (const value of nonsense) expect(read(value)).toBeUndefined();
  });

  it('is trimmed text of up to 100 characters, even when the router reads a number', () => {
    const texts = [' 李 ', 2026, '𠮷'.repeat(300)].map(parseWords);
    expect(texts).toEqual(['李', '2026', '𠮷'.repeat(100)]);
    for (const value of ['', '  ', null, undefined, ['x'], {}]) expect(parseWords(value)).toBeUndefined();
  });
});

describe('Address of a page', () => {
  const read = searchReader({
    q: parseWords,
    size: (value) => parseOneOrDefault(50, [50, 100], value),
    page: parsePage,
  });
  const { isFiltered, unfiltered } = describeFilters<ReturnType<typeof read>>('q');

  it('keeps only valid values that differ from the default', () => {
    const held = read({ q: ' ', size: 50, page: 2, other: 'x' });
    expect(held).toEqual({ page: 2 });
    // Otherwise the router would keep the typed value.
    expect(held).toHaveProperty('size', undefined);
    expect(read({ q: 2026, size: 100, page: 1 })).toEqual({ q: '2026', size: 100 });
  });

  it('counts as filtered with a filter, and can be reset', () => {
    const filtered = [{}, { page: 2 }, { q: 'x', page: 2 }].map(isFiltered);
    expect(filtered).toEqual([false, false, true]);
    expect({ q: 'x', page: 2, ...unfiltered }).toEqual({ q: undefined, page: 2 });
  });

  const readers = {
    activity: {
      read: readActivitySearch,
      valid: { all: true, admin: 4, action: 'updateUser', ...days, page: 2 },
      typed: { all: 1, admin: 'x', action: 'addScore', from: '2026-13-01', to: 'now', page: 1 },
    },
    administrators: {
      read: readAdministratorsSearch,
      valid: { all: true, q: 'li', role: 'grade_admin', state: 'disabled', page: 2 },
      typed: { all: 1, q: ' ', role: 'king', state: 'gone', page: 0 },
    },
    applications: {
      read: readApplicationsSearch,
      valid: { status: 'all', page: 3 },
      typed: { status: 'pending', page: 1 },
    },
    'call log': {
      read: readAuditSearch,
      valid: { all: true, token: 5, method: 'POST', status: 403, failed: true, page: 3 },
      typed: { all: 'yes', token: 0, method: 'HEAD', status: 999, failed: 1, page: 1 },
    },
    records: {
      read: readRecordsSearch,
      valid: {
        ...inClass,
        kind: 'minus',
        category: 5,
        ...days,
        by: 't7',
        term: 2,
        state: 'revoked',
        page: 4,
      },
      typed: {
        q: ' ',
        grade: -1,
        kind: 'zero',
        category: 'x',
        to: 5,
        by: 'a0',
        term: 1.5,
        state: 'live',
        page: 1,
      },
    },
    schools: { read: readSchoolsSearch, valid: { q: 'x' }, typed: { q: ['x'] } },
    statistics: {
      read: readStatisticsSearch,
      valid: { days: 366, grade: 3, class: 12, by: 'improvement', page: 2 },
      typed: { days: 31, class: 'x', by: 'luck', page: 0.5 },
    },
    'statistics without defaults': {
      read: readStatisticsSearch,
      valid: { days: 7 },
      typed: { days: 30, by: 'total', page: 1 },
    },
    students: {
      read: readStudentsSearch,
      valid: { ...inClass, state: 'disabled', password: 'atRisk', ...sorted, page: 4 },
      typed: { q: ' ', state: 'gone', password: 'secret', sort: 'password', desc: 1, size: 7 },
    },
    'students without defaults': {
      read: readStudentsSearch,
      valid: { q: '2026' },
      typed: { sort: 'username', size: 50, page: 1 },
    },
    student: { read: readStudentSearch, valid: { page: 3, days: 90 }, typed: { page: 'x', days: 1 } },
    'student without defaults': { read: readStudentSearch, valid: { page: 3 }, typed: { page: 1, days: 30 } },
  };

  it.each(Object.entries(readers))(
    'of the %s keeps valid values, and drops defaults and invalid values',
    (_, { read, valid, typed }) => {
      expect(read(valid)).toEqual(valid);
      expect(read(typed)).toEqual({});
    },
  );
});

it('the filters of the activity become whole days in the school’s time zone', () => {
  const instants = { startDate: '2026-09-06T04:00:00.000Z', endDate: '2026-09-07T02:59:59.999Z' };
  expect(periodOf('America/Santiago', '2026-09-06', '2026-09-06')).toEqual(instants);
});

it('the filters of the records become a query in days of the school, and are counted', () => {
  const today = '2026-09-05';
  expect(readRecordsSearch({ period: 'week', from: '2026-09-01' })).toEqual({ period: 'week' });
  const ofWeek = { startDate: '2026-08-30', endDate: undefined, adminId: 4, tokenId: undefined };
  expect(recordsQuery('school_7', { period: 'week', by: 'a4' }, today)).toMatchObject(ofWeek);
  const until = { endDate: '2026-09-15', adminId: undefined, tokenId: 7, categoryId: 5 };
  expect(recordsQuery('school_7', { to: '2026-09-15', by: 't7', category: 5 }, today)).toMatchObject(until);
  expect([
    filterCount({ page: 2 }),
    filterCount({ q: '李', ...days, by: 't7', term: 2, category: 5 }),
  ]).toEqual([0, 5]);
  const ranges = [{ from: '2026-09-02', to: '2026-09-01' }, { from: '2026-09-02' }, {}];
  expect(ranges.map(isDayRangeOrdered)).toEqual([false, true, true]);
});

it('the filters of the students become the parameters of the API call', () => {
  expect(studentsQuery('school_7', { q: 'li', state: 'active', page: 3 })).toEqual({
    schoolDb: 'school_7',
    search: 'li',
    disabled: false,
    sortBy: 'username',
    order: 'asc',
  });
  const passwordState = ['shared', 'unused'];
  expect(studentsQuery('school_7', { password: 'atRisk' })).toMatchObject({ passwordState });
  expect(sortOf({ sort: 'scoreCount', desc: true })).toEqual({ key: 'scoreCount', descending: true });
});

const school = (id: number, name: string) => ({ id, schoolDb: `school_${id}`, name }) as School;

it.each([
  ['', [1, 2]],
  [' RIVER ', [1]],
  ['实验', [2]],
  ['school_2', [2]],
  ['nowhere', []],
])('the search for schools matches part of the name or the key: %j', (q, ids) => {
  const schools = [school(1, 'Riverside School'), school(2, '实验小学')];
  expect(matchingSchools(schools, q).map(({ id }) => id)).toEqual(ids);
});
