import type { Student } from '@classledger/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { ScoringQueue } from '../../taps/scoring-queue.ts';
import { rosterInput, rosterKey } from '../roster-query.ts';
import { watchTaps } from './steady-roster.ts';

/** Other teachers give points, too. */
const refreshMs = 5_000;

/** The students of a class, asked for again and again. */
export function useRoster(
  schoolDb: string,
  classId: number,
  queue: ScoringQueue,
): UseQueryResult<readonly Student[]> {
  const client = useQueryClient();
  const queryKey = rosterKey(schoolDb, classId);
  return useQuery<readonly Student[]>({
    queryKey,
    queryFn: async () => {
      const steady = watchTaps(queue);
      const answered = await call('listUsers', rosterInput(schoolDb, classId));
      return steady(client.getQueryData<readonly Student[]>(queryKey), answered);
    },
    refetchInterval: refreshMs,
  });
}
