import type { School } from '@classledger/contract';
import { readerOf, wordsIn } from '../../address.ts';

/** Reads the address of the schools' page. */
export const readSchoolsSearch = readerOf({ q: wordsIn });

/** The schools whose name or key holds the text, whatever its case. */
export function matchingSchools(schools: readonly School[], q: string): School[] {
  const wanted = q.trim().toLowerCase();
  return schools.filter(
    ({ name, schoolDb }) => name.toLowerCase().includes(wanted) || schoolDb.includes(wanted),
  );
}
