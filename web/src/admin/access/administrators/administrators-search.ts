import { roles } from 'virtual:admin-contract';
import type { InputOf } from '../../../api/operation-types.ts';
import { filtersOf, flagIn, oneOf, pageIn, readerOf, type SearchIn, wordsIn } from '../../address.ts';

export const states = ['active', 'disabled'] as const;

export const readAdministratorsSearch = readerOf({
  /** All schools, including super administrators; for super administrators. */
  all: flagIn,
  q: wordsIn,
  role: (value) => oneOf(roles, value),
  state: (value) => oneOf(states, value),
  page: pageIn,
});

export type AdministratorsSearch = SearchIn<typeof readAdministratorsSearch>;

export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<AdministratorsSearch>('q', 'role', 'state');

export function administratorsQuery(
  schoolDb: string | undefined,
  { q, role, state, page = 1 }: AdministratorsSearch,
): NonNullable<InputOf<'listAdministrators'>['query']> {
  return {
    schoolDb,
    search: q,
    role,
    disabled: state === undefined ? undefined : state === 'disabled',
    page,
    limit: pageSize,
  };
}
