import type { Student } from '@classledger/contract';
import {
  hashKey,
  type QueryClient,
  type QueryKey,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { keyOf } from '../../api/queries.ts';
import { useMe } from '../me.ts';
import { getScoringQueue } from '../outbox/open-outbox.ts';
import type { ScoringQueue } from '../outbox/scoring-queue.ts';

const rosterInput = (schoolDb: string, classId: number) => ({
  query: { schoolDb, classId, disabled: false },
});

export function rosterKey(schoolDb: string, classId: number): QueryKey {
  return keyOf('listUsers', rosterInput(schoolDb, classId));
}

/** Returns a function, so that the key is hashed once: each card calls it at each tap. */
export function cachedRoster(
  client: QueryClient,
  schoolDb: string,
  classId: number,
): () => readonly Student[] | undefined {
  const hash = hashKey(rosterKey(schoolDb, classId));
  return () => client.getQueryCache().get<readonly Student[]>(hash)?.state.data;
}

/** Each fetch of this key must use it: a response with a tap under way would count saved points twice. */
export function rosterQuery(
  client: QueryClient,
  queue: Pick<ScoringQueue, 'revision' | 'unclearStudentsSince'>,
  schoolDb: string,
  classId: number,
  fetchStudents = (): Promise<readonly Student[]> => call('listUsers', rosterInput(schoolDb, classId)),
) {
  const queryKey = rosterKey(schoolDb, classId);
  const queryFn = async () => {
    const revision = queue.revision;
    const response = await fetchStudents();
    const known = client.getQueryData<readonly Student[]>(queryKey);
    return known ? mergeRoster(known, response, queue.unclearStudentsSince(revision)) : response;
  };
  return { queryKey, queryFn };
}

/** `refreshMs` polls, because other teachers give points, too. */
export function useRoster(
  schoolDb: string,
  classId: number,
  refreshMs?: number,
): UseQueryResult<readonly Student[]> {
  const client = useQueryClient();
  const queue = getScoringQueue(client, useMe().id);
  return useQuery<readonly Student[]>({
    ...rosterQuery(client, queue, schoolDb, classId),
    refetchInterval: refreshMs ?? false,
  });
}

/** Merges a response into the known roster. Students in `unclearIds` keep their known totals, so no tap counts twice. */
export function mergeRoster(
  known: readonly Student[],
  response: readonly Student[],
  unclearIds: ReadonlySet<number>,
): readonly Student[] {
  const byId = new Map(known.filter(({ id }) => unclearIds.has(id)).map((student) => [student.id, student]));
  return response.map((student) => {
    const { totalScore, addScore, deductScore, scoreCount } = byId.get(student.id) ?? student;
    return { ...student, totalScore, addScore, deductScore, scoreCount };
  });
}
