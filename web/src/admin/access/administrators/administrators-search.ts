import { roles } from 'virtual:admin-contract';
import {
  type ParsedSearch,
  parseFlag,
  parseOneOf,
  parsePage,
  parseWords,
  searchReader,
} from '../../search-parameters.ts';

export const accountStates = ['active', 'disabled'] as const;

export const readAdministratorsSearch = searchReader({
  all: parseFlag,
  q: parseWords,
  role: (value) => parseOneOf(roles, value),
  state: (value) => parseOneOf(accountStates, value),
  page: parsePage,
});

export type AdministratorsSearch = ParsedSearch<typeof readAdministratorsSearch>;
