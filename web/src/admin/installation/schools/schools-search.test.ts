import type { School } from '@classledger/contract';
import { expect, it } from 'vitest';
import { matchingSchools } from './schools-search.ts';

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
