import type { Student } from '@classledger/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { ScoringQueue } from '../../taps/scoring-queue.ts';
import { rosterInput, rosterKey } from '../roster-query.ts';

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
      const asked = queue.moment;
      const answered = await call('listUsers', rosterInput(schoolDb, classId));
      const known = client.getQueryData<readonly Student[]>(queryKey);
      return known ? withTotalsOf(known, answered, queue.unclearSince(asked)) : answered;
    },
    refetchInterval: refreshMs,
  });
}

/** A roster in which some students keep the totals that are known, so that nothing jumps back or counts twice. */
export function withTotalsOf(
  known: readonly Student[],
  answered: readonly Student[],
  kept: ReadonlySet<number>,
): readonly Student[] {
  const byId = new Map(known.filter(({ id }) => kept.has(id)).map((student) => [student.id, student]));
  return answered.map((student) => {
    const { totalScore, addScore, deductScore, scoreCount } = byId.get(student.id) ?? student;
    return { ...student, totalScore, addScore, deductScore, scoreCount };
  });
}
