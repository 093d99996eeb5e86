import type { ListedStudent } from '@classledger/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readWholeList } from '../../../api/read-all.ts';
import { toHalfWidth } from '../../../i18n/letters.ts';
import { useSchool } from '../../school.tsx';
import type { KnownStudents } from './plan-import.ts';

const nobody: readonly ListedStudent[] = [];

export function useKnownStudents() {
  const { schoolDb } = useSchool();
  const query = useQuery({
    queryKey: ['listUsers', 'known', schoolDb],
    queryFn: async () => {
      const { rows } = await readWholeList('listUsers', { schoolDb });
      return rows;
    },
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const students = query.data ?? nobody;
  const known = useMemo(
    (): KnownStudents => ({
      usernames: new Map(students.map(({ username }) => [toHalfWidth(username), username])),
      names: new Map(students.map(({ username, actualName }) => [username, actualName])),
      externalIds: new Set(students.flatMap(({ externalId }) => externalId ?? [])),
    }),
    [students],
  );
  const { isPending, isError, refetch } = query;
  return { students, known, isPending, isError, refetch };
}
