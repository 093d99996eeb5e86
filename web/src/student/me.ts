import { createContext, use } from 'react';
import type { DataOf } from '../api/operation-types.ts';

export const MeContext = createContext<DataOf<'getStudentMe'> | null>(null);

export function useStudent(): DataOf<'getStudentMe'> {
  const me = use(MeContext);
  if (!me) throw new Error('Use this hook inside MeContext, after the sign-in');
  return me;
}
