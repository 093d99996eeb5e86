import type { ClassTeams, Student } from '@classledger/contract';
import type { SavedPoints } from './points-entry.ts';

/** Adds saved points to a roster. Students without new points stay the same objects. */
export function addSavedPoints(
  roster: readonly Student[],
  { studentIds, change, times }: SavedPoints,
): readonly Student[] {
  const part = change > 0 ? 'addScore' : 'deductScore';
  return roster.map((student) =>
    studentIds.has(student.id)
      ? {
          ...student,
          totalScore: student.totalScore + times * change,
          [part]: student[part] + times * change,
          scoreCount: student.scoreCount + times,
        }
      : student,
  );
}

/** Adds saved points to the teams of a class. The next fetch updates their ranks. */
export function addSavedTeamPoints(
  known: ClassTeams,
  { studentIds, teamIds, change, times }: SavedPoints,
): ClassTeams {
  const teams = known.teams.map((team) => {
    const given = times * change;
    const ofMembers = team.userIds.filter((id) => studentIds.has(id)).length * given;
    const own = teamIds.has(team.id) ? given : 0;
    if (ofMembers === 0 && own === 0) return team;
    const counted = known.ranking === 'sum' ? ofMembers : ofMembers / Math.max(1, team.userIds.length);
    return {
      ...team,
      memberPoints: team.memberPoints + ofMembers,
      ownPoints: team.ownPoints + own,
      points: team.points + counted + own,
    };
  });
  return { ...known, teams };
}
