import type { School } from '@classledger/contract';
import { flagIn, readerOf, wordsIn } from '../../address.ts';

/** Reads the address of the schools page; `create` opens the dialog for a new school. */
export const readSchoolsSearch = readerOf({ q: wordsIn, create: flagIn });

/** Returns the schools whose name or key contains the text, ignoring case. */
export function matchingSchools(schools: readonly School[], q: string): School[] {
  const wanted = q.trim().toLowerCase();
  return schools.filter(
    ({ name, schoolDb }) => name.toLowerCase().includes(wanted) || schoolDb.includes(wanted),
  );
}
