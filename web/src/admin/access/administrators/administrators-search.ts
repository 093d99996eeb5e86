import type { Role } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import { filtersOf, flagIn, oneOf, pageIn, type RawSearch, withoutEmpty, wordsIn } from '../../address.ts';
import { allRoles } from './affiliation.ts';

/** What the address of the administrators' page holds. */
export interface AdministratorsSearch {
  /** Of all schools, super administrators among them; for super administrators. */
  readonly all?: true;
  readonly q?: string;
  readonly role?: Role;
  readonly state?: (typeof states)[number];
  readonly page?: number;
}

/** Whether someone may sign in. */
export const states = ['active', 'disabled'] as const;

/** So many lines are a page. */
export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<AdministratorsSearch>('q', 'role', 'state');

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readAdministratorsSearch(raw: RawSearch): AdministratorsSearch {
  return withoutEmpty<AdministratorsSearch>({
    all: flagIn(raw.all),
    q: wordsIn(raw.q),
    role: oneOf(allRoles, raw.role),
    state: oneOf(states, raw.state),
    page: pageIn(raw.page),
  });
}

/** The question to the server. */
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
