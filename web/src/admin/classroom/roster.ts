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
import { queryKeyOf } from '../../api/queries.ts';
import type { ScoringQueue } from '../outbox/scoring-queue.ts';
import { useScoringQueue } from '../outbox/use-outbox.ts';

const rosterInput = (schoolDb: string, classId: number) => ({
  query: { schoolDb, classId, disabled: false },
});

export function rosterKey(schoolDb: string, classId: number): QueryKey {
  return queryKeyOf('listUsers', rosterInput(schoolDb, classId));
}

/** Returns a function instead of the roster, so that the cards, which call it at each tap, hash the key only once. */
export function cachedRoster(
  client: QueryClient,
  schoolDb: string,
  classId: number,
): () => readonly Student[] | undefined {
  const hash = hashKey(rosterKey(schoolDb, classId));
  return () => client.getQueryCache().get<readonly Student[]>(hash)?.state.data;
}

/** The only way to fetch the roster: merges the response, which may already include points that are being sent. */
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

/** Reads the roster. @param refreshMs fetches it regularly, because other teachers give points too */
export function useRoster(
  schoolDb: string,
  classId: number,
  refreshMs?: number,
): UseQueryResult<readonly Student[]> {
  const query = rosterQuery(useQueryClient(), useScoringQueue(), schoolDb, classId);
  return useQuery<readonly Student[]>({ ...query, refetchInterval: refreshMs ?? false });
}

/** Merges a response into the known roster. Keeps the totals in `unclearIds`, so that no points count twice. */
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
