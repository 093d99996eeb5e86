import type { ClassTeams, Team } from '@classledger/contract';

/** What a team is ranked by. */
export type UnrankedTeam = Omit<Team, 'points' | 'rank'>;

/**
 * Ranks the teams of a class, and leaves them in their order. A team has the points of its members, all of them or per
 * member, and its own. They are rounded to a tenth first: who is shown as equal is equal, and shares a rank.
 */
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
