import { rolesByDuty } from 'virtual:admin-contract';
import type { Duty } from '@classledger/contract';
import { createContext, use, useCallback } from 'react';
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

interface ClassInGrade {
  readonly id: number;
  readonly gradeId: number;
}

/** Returns whether an administrator manages a class. They may also see classes that they only teach. */
export function managesClass({ role, gradeId, classId }: Me, of: ClassInGrade): boolean {
  if (role === 'class_admin') return of.id === classId;
  if (role === 'grade_admin') return of.gradeId === gradeId;
  return role === 'school_admin' || role === 'super_admin';
}

/** Returns a function that tells whether the signed-in administrator manages a class. */
export function useManages(): (of: ClassInGrade) => boolean {
  const me = useMe();
  return useCallback((of) => managesClass(me, of), [me]);
}

/** The previous release, which may answer during an upgrade, sends no taught classes. */
export const taughtClassIdsOf = (me: Me): readonly number[] => me.taughtClassIds ?? [];

export const isTeaching = (me: Me): boolean => me.role === 'teacher' || taughtClassIdsOf(me).length > 0;

/** Returns the own class of a class teacher and the taught classes. */
export const myClassIdsOf = (me: Me): ReadonlySet<number> =>
  new Set([...(me.classId === null ? [] : [me.classId]), ...taughtClassIdsOf(me)]);

/** Returns the class of an administrator who sees only one class. Pages for them need no class names. */
export function onlyClassIdOf(me: Me): number | null {
  if (me.role !== 'class_admin' && me.role !== 'teacher') return null;
  const [only = null, ...others] = myClassIdsOf(me);
  return others.length === 0 ? only : null;
}

export const useOnlyClassId = (): number | null => onlyClassIdOf(useMe());
