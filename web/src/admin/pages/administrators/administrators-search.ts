import type { Role } from '@classledger/contract';
import type { InputOf } from '../../../api/operation-types.ts';
import { allRoles } from './affiliation.ts';

/** What the address of the administrators' page holds. */
export interface AdministratorsSearch {
  /** Of all schools, super administrators among them; for super administrators. */
  readonly all?: true;
  readonly q?: string;
  readonly role?: Role;
  readonly state?: 'active' | 'disabled';
  readonly page?: number;
}

/** So many lines are a page. */
export const pageSize = 50;

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readAdministratorsSearch(raw: Readonly<Record<string, unknown>>): AdministratorsSearch {
  // The router reads "2026" as a number.
  const q = typeof raw.q === 'string' || typeof raw.q === 'number' ? String(raw.q).trim().slice(0, 100) : '';
  const role = allRoles.find((one) => one === raw.role);
  const page = Number.isSafeInteger(raw.page) ? Number(raw.page) : 1;
  return {
    ...(raw.all === true && { all: true as const }),
    ...(q !== '' && { q }),
    ...(role && { role }),
    ...((raw.state === 'active' || raw.state === 'disabled') && { state: raw.state }),
    ...(page > 1 && { page }),
  };
}

/** Whether somebody is left out of the list. */
export function isFiltered({ q, role, state }: AdministratorsSearch): boolean {
  return [q, role, state].some((value) => value !== undefined);
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
