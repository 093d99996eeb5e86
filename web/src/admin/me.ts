import { rolesByDuty } from 'virtual:admin-contract';
import type { Duty } from '@classledger/contract';
import { createContext, use } from 'react';
import type { DataOf } from '../api/operation-types.ts';

export type Me = DataOf<'getMe'>;

/** The administrator who is signed in. */
export const MeContext = createContext<Me | null>(null);

/** The administrator who is signed in: role, and the school, grade or class that the role is about. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('Only inside the signed-in app');
  return me;
}

/** Whether the administrator may do a kind of thing at all, by the contract's role table. */
export function useMayDo(): (duty: Duty) => boolean {
  const { role } = useMe();
  return (duty) => rolesByDuty[duty].includes(role);
}
