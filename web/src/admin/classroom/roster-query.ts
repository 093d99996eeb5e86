import type { QueryKey } from '@tanstack/react-query';
import { keyOf } from '../../api/queries.ts';

/** What the roster of a class is asked with. */
export function rosterInput(schoolDb: string, classId: number) {
  return { query: { schoolDb, classId, disabled: false } };
}

/** Under which key a roster is kept. */
export function rosterKey(schoolDb: string, classId: number): QueryKey {
  return keyOf('listUsers', rosterInput(schoolDb, classId));
}
