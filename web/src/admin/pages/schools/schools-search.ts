import type { School } from '@classledger/contract';

/** What the address of the schools' page holds. */
export interface SchoolsSearch {
  readonly q?: string;
}

/** Reads an address that anybody may have typed. */
export function readSchoolsSearch(raw: Readonly<Record<string, unknown>>): SchoolsSearch {
  // The router reads "7" as a number.
  const q = typeof raw.q === 'string' || typeof raw.q === 'number' ? String(raw.q).slice(0, 100) : '';
  return q === '' ? {} : { q };
}

/** The schools whose name or key holds the text, whatever its case. */
export function matchingSchools(schools: readonly School[], q: string): School[] {
  const wanted = q.trim().toLowerCase();
  return schools.filter(
    ({ name, schoolDb }) => name.toLowerCase().includes(wanted) || schoolDb.includes(wanted),
  );
}
