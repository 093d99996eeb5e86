import { expect, it } from 'vitest';
import { readStudentSearch } from './student-search.ts';

it('the address of a student’s page keeps valid values and drops invalid values', () => {
  expect(readStudentSearch({ page: 3, days: 90 })).toEqual({ page: 3, days: 90 });
  expect(readStudentSearch({ page: 1, days: 30 })).toEqual({});
  expect(readStudentSearch({ page: 'x', days: 1 })).toEqual({});
});
