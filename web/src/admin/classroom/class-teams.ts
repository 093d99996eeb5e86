import type { ClassTeams, Team } from '@classledger/contract';
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { keyOf } from '../../api/queries.ts';
import { useMe } from '../me.ts';
import { queueOfAdmin } from '../taps/queue-of-admin.ts';
import type { ScoringQueue } from '../taps/scoring-queue.ts';

const teamsInput = (schoolDb: string, classId: number) => ({ query: { schoolDb, classId } });

/** Under which key the teams of a class are kept. */
export const teamsKey = (schoolDb: string, classId: number) =>
  keyOf('getTeams', teamsInput(schoolDb, classId));

/**
 * The teams of a class with their points. The queue adds to what is kept what it has had saved: an answer that was asked
 * for while a tap changed may hold it or not, so the points that are known stay until the next one.
 *
 * @param refreshMs they are asked for again after so many milliseconds: other teachers give points, too
 * @param enabled false where nobody looks at teams
 */
export function useTeams(
  schoolDb: string,
  classId: number,
  { refreshMs, enabled = true }: { readonly refreshMs?: number; readonly enabled?: boolean } = {},
): UseQueryResult<ClassTeams> {
  const client = useQueryClient();
  const queue = queueOfAdmin(client, useMe().id);
  return useQuery<ClassTeams>({
    queryKey: teamsKey(schoolDb, classId),
    queryFn: () => readTeams(client, queue, schoolDb, classId),
    refetchInterval: refreshMs ?? false,
    enabled,
  });
}

/**
 * The same where points are given: what was given to a team is told by its name, in every view.
 *
 * @param shown whether teams are looked at
 */
export function useTeamsOfTaps(
  schoolDb: string,
  classId: number,
  {
    refreshMs,
    shown,
    enabled,
  }: { readonly refreshMs: number; readonly shown: boolean; readonly enabled: boolean },
): UseQueryResult<ClassTeams> {
  const queue = queueOfAdmin(useQueryClient(), useMe().id);
  const told = useSyncExternalStore(queue.subscribe, () =>
    queue.taps.some((tap) => tap.teamIds !== undefined && tap.classId === classId),
  );
  return useTeams(schoolDb, classId, { enabled: enabled && (shown || told), ...(shown && { refreshMs }) });
}

async function readTeams(
  client: QueryClient,
  queue: Pick<ScoringQueue, 'moment' | 'unsettledCount'>,
  schoolDb: string,
  classId: number,
): Promise<ClassTeams> {
  const asked = queue.moment;
  const answered = await call('getTeams', teamsInput(schoolDb, classId));
  const known = client.getQueryData<ClassTeams>(teamsKey(schoolDb, classId));
  const isUnclear = queue.moment !== asked || queue.unsettledCount > 0;
  // Other teams, or other members: they are shown at once, whatever is on its way.
  return isUnclear && known?.version === answered.version ? known : answered;
}

/** The points of a team with those that are on their way: its own, and those of its members. */
export function pendingPoints(
  { id, userIds }: Pick<Team, 'id' | 'userIds'>,
  ranking: ClassTeams['ranking'],
  queue: Pick<ScoringQueue, 'pendingChange' | 'pendingTeamChange'>,
): number {
  const ofMembers = userIds.reduce((sum, userId) => sum + queue.pendingChange(userId), 0);
  return (
    queue.pendingTeamChange(id) + (ranking === 'sum' ? ofMembers : ofMembers / Math.max(1, userIds.length))
  );
}

/** To a tenth, as ranks go by. */
export const toTenth = (points: number) => Math.round(points * 10) / 10;
