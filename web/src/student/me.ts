import { createContext, use } from 'react';
import type { DataOf } from '../api/operation-types.ts';

/** The student who is signed in. */
export const MeContext = createContext<DataOf<'getStudentMe'> | null>(null);

/** The student who is signed in, with the current totals. */
export function useStudent(): DataOf<'getStudentMe'> {
  const me = use(MeContext);
  if (!me) throw new Error('Only inside the signed-in app');
  return me;
}
