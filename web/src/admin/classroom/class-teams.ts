import type { ClassTeams, Team } from '@classledger/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { queryKeyOf } from '../../api/queries.ts';
import { paletteColour } from '../../components/palette.ts';
import type { ScoringQueue } from '../outbox/scoring-queue.ts';
import { useScoringQueue } from '../outbox/use-outbox.ts';
import { useIsToolEnabled } from '../use-is-tool-enabled.ts';

const teamsInput = (schoolDb: string, classId: number) => ({ query: { schoolDb, classId } });

export const teamsKey = (schoolDb: string, classId: number) =>
  queryKeyOf('getTeams', teamsInput(schoolDb, classId));

/** Reads the teams of a class. Keeps the known points while it is unclear which given points an answer includes. */
export function useTeams(
  schoolDb: string,
  classId: number,
  { refreshMs, enabled = true }: { readonly refreshMs?: number; readonly enabled?: boolean } = {},
): UseQueryResult<ClassTeams> {
  const client = useQueryClient();
  const queue = useScoringQueue();
  const queryKey = teamsKey(schoolDb, classId);
  const queryFn = async () => {
    const asked = queue.revision;
    const answered = await call('getTeams', teamsInput(schoolDb, classId));
    const known = client.getQueryData<ClassTeams>(queryKey);
    const isUnclear = queue.revision !== asked || queue.unsettledCount > 0;
    // If teams or members changed, uses the answer at once, even while points are being sent.
    return isUnclear && known?.version === answered.version ? known : answered;
  };
  return useQuery<ClassTeams>({ queryKey, queryFn, refetchInterval: refreshMs ?? false, enabled });
}

const noTeams: readonly Team[] = [];

/** Returns the teams, whose names the list of given points needs. Requests them only if a team got points. */
export function useTeamsOfPoints(schoolDb: string, classId: number): readonly Team[] {
  const queue = useScoringQueue();
  const hasTeamPoints = useSyncExternalStore(queue.subscribe, () =>
    queue.entries.some((entry) => entry.teamIds !== undefined && entry.classId === classId),
  );
  const enabled = useIsToolEnabled('teams') && hasTeamPoints;
  return useTeams(schoolDb, classId, { enabled }).data?.teams ?? noTeams;
}

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

export const teamColour = (colour: number) => ({ '--team': paletteColour(colour) }) as CSSProperties;

export const roundToTenth = (points: number) => Math.round(points * 10) / 10;
