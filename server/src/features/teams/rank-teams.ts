import type { ClassTeams, Team } from '@classledger/contract';

export type UnrankedTeam = Omit<Team, 'points' | 'rank'>;

/** Ranks teams without sorting them. Rounds to a tenth first, so that teams shown as equal share a rank. */
export function rankTeams(teams: readonly UnrankedTeam[], ranking: ClassTeams['ranking']): Team[] {
  const scored = teams.map((team) => ({ ...team, points: pointsOf(team, ranking) }));
  return scored.map((team) => ({
    ...team,
    rank: 1 + scored.filter(({ points }) => points > team.points).length,
  }));
}

function pointsOf(
  { userIds, memberPoints, ownPoints }: UnrankedTeam,
  ranking: ClassTeams['ranking'],
): number {
  const ofMembers = ranking === 'sum' ? memberPoints : memberPoints / Math.max(1, userIds.length);
  return Math.round((ofMembers + ownPoints) * 10) / 10;
}
