import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readWholeList } from '../../../api/read-all.ts';
import { narrow } from '../../../i18n/letters.ts';
import { useSchool } from '../../school.tsx';

/** The usernames in the caller's range, in narrow letters and digits, and how far the reading of them is. */
export function useTakenUsernames() {
  const { schoolDb } = useSchool();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const query = useQuery({
    queryKey: ['listUsers', 'usernames', schoolDb],
    queryFn: async () => {
      const onProgress = (done: number, total: number) => setProgress({ done, total });
      const { rows } = await readWholeList('listUsers', { schoolDb }, { onProgress });
      return new Set(rows.map(({ username }) => narrow(username)));
    },
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return { ...query, progress };
}
