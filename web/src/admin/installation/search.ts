import type { Application, School } from '@classledger/contract';
import { parseOneOrDefault, parsePage, parseWords, searchReader } from '../search-parameters.ts';

export type StatusFilter = Application['status'] | 'all';
export const statusFilters = ['pending', 'approved', 'rejected', 'all'] as const satisfies StatusFilter[];

/** Returns the status filter; undefined for the default, pending. */
export function parseStatusFilter(value: unknown): StatusFilter | undefined {
  return parseOneOrDefault<StatusFilter>('pending', statusFilters, value);
}

export const readApplicationsSearch = searchReader({ status: parseStatusFilter, page: parsePage });

export const readSchoolsSearch = searchReader({ q: parseWords });

export function matchingSchools(schools: readonly School[], q: string): School[] {
  const wanted = q.trim().toLowerCase();
  return schools.filter(
    ({ name, schoolDb }) => name.toLowerCase().includes(wanted) || schoolDb.includes(wanted),
  );
}
