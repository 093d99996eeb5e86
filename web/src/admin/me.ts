import { rolesByDuty } from 'virtual:admin-contract';
import type { Duty } from '@classledger/contract';
import { createContext, use } from 'react';
import type { DataOf } from '../api/operation-types.ts';

export type Me = DataOf<'getMe'>;

export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('Use this hook inside MeContext, after the sign-in');
  return me;
}

/** Returns a function that tells whether the role has a duty, such as `manageClasses`, in the contract's role table. */
export function useMayDo(): (duty: Duty) => boolean {
  const { role } = useMe();
  return (duty) => rolesByDuty[duty].includes(role);
}
