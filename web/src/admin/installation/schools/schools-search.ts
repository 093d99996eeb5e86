import type { School } from '@classledger/contract';
import { parseFlag, parseWords, searchReader } from '../../search-parameters.ts';

/** Parameters of the URL. `create` opens the form for a new school. */
export const readSchoolsSearch = searchReader({ q: parseWords, create: parseFlag });

export function matchingSchools(schools: readonly School[], q: string): School[] {
  const wanted = q.trim().toLowerCase();
  return schools.filter(
    ({ name, schoolDb }) => name.toLowerCase().includes(wanted) || schoolDb.includes(wanted),
  );
}
