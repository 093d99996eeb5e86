import type { School } from '@classledger/contract';
import { type RawSearch, withoutEmpty, wordsIn } from '../../address.ts';

/** What the address of the schools' page holds. */
export interface SchoolsSearch {
  readonly q?: string;
}

/** Reads an address that anyone may have typed. */
export function readSchoolsSearch(raw: RawSearch): SchoolsSearch {
  return withoutEmpty<SchoolsSearch>({ q: wordsIn(raw.q) });
}

/** The schools whose name or key holds the text, whatever its case. */
export function matchingSchools(schools: readonly School[], q: string): School[] {
  const wanted = q.trim().toLowerCase();
  return schools.filter(
    ({ name, schoolDb }) => name.toLowerCase().includes(wanted) || schoolDb.includes(wanted),
  );
}
