import { roles } from 'virtual:admin-contract';
import type { InputOf } from '../../../api/operation-types.ts';
import {
  describeFilters,
  type ParsedSearch,
  parseFlag,
  parseOneOf,
  parsePage,
  parseWords,
  searchReader,
} from '../../search-parameters.ts';

export const states = ['active', 'disabled'] as const;

export const readAdministratorsSearch = searchReader({
  all: parseFlag,
  q: parseWords,
  role: (value) => parseOneOf(roles, value),
  state: (value) => parseOneOf(states, value),
  page: parsePage,
});

export type AdministratorsSearch = ParsedSearch<typeof readAdministratorsSearch>;

export const pageSize = 50;

export const { isFiltered, unfiltered } = describeFilters<AdministratorsSearch>('q', 'role', 'state');

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
