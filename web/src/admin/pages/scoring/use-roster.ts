import type { Student } from '@classledger/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { isUnsettled, type ScoringQueue } from '../../taps/scoring-queue.ts';
import { rosterInput, rosterKey } from './roster-query.ts';

/** Other teachers give points, too. */
const refreshMs = 5_000;

/**
 * The students of a class, asked for again and again. An answer during which a tap was on its way may count the tap
 * or not, nobody can tell; it is dropped, so that totals never jump back or count twice.
 */
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
      const known = () => client.getQueryData<readonly Student[]>(queryKey);
      // Taps for another class change nothing here.
      const ofClass = () => queue.taps.filter((tap) => tap.schoolDb === schoolDb && tap.classId === classId);
      const before = ofClass();
      const shown = known();
      if (before.some(isUnsettled) && shown) return shown;
      const rows = await call('listUsers', rosterInput(schoolDb, classId));
      const after = ofClass();
      const isQuiet = after.length === before.length && after.every((tap, index) => tap === before[index]);
      return isQuiet && !after.some(isUnsettled) ? rows : (known() ?? rows);
    },
    refetchInterval: refreshMs,
  });
}
