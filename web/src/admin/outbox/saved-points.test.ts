import type { Student } from '@classledger/contract';
import { expect, it } from 'vitest';
import type { SavedPoints } from './points-entry.ts';
import { addSavedPoints, addSavedTeamPoints } from './saved-points.ts';

const none = new Set<number>();
const once: SavedPoints = { studentIds: none, teamIds: none, change: 3, times: 1, isLate: false };

it.each([
  [3, 1, { totalScore: 8, addScore: 9, deductScore: -1, scoreCount: 3 }],
  [-1, 1, { totalScore: 4, addScore: 6, deductScore: -2, scoreCount: 3 }],
  [-1, -1, { totalScore: 6, addScore: 6, deductScore: 0, scoreCount: 1 }],
] as const)(
  'saved points of %i, %i times, change the right sums of their student only',
  (change, times, sums) => {
    const totals = { totalScore: 5, addScore: 6, deductScore: -1, scoreCount: 2 };
    const roster = [1, 2].map((id) => ({ id, ...totals }) as Student);
    const [other, student] = addSavedPoints(roster, { ...once, studentIds: new Set([2]), change, times });
    expect(other).toBe(roster[0]);
    expect(student).toMatchObject(sums);
  },
);

it('saved points change the team’s own points, or its members’ points, averaged over the members', () => {
  const team = (id: number, userIds: number[]) => ({
    ...{ id, name: `Team ${id}`, colour: 1, rank: 1 },
    ...{ userIds, memberPoints: 6, ownPoints: 1, points: 4 },
  });
  const teams = [team(1, [1, 2]), team(2, [3, 4])];
  const known = { classId: 1, version: '1', ranking: 'average' as const, teams };
  const own = addSavedTeamPoints(known, { ...once, teamIds: new Set([2]) });
  expect(own.teams[0]).toBe(teams[0]);
  expect(own.teams[1]).toMatchObject({ memberPoints: 6, ownPoints: 4, points: 7 });
  const back: SavedPoints = { ...once, studentIds: new Set([1, 3, 9]), times: -1 };
  const less = { memberPoints: 3, ownPoints: 1, points: 2.5 };
  expect(addSavedTeamPoints(known, back).teams).toMatchObject([less, less]);
  expect(addSavedTeamPoints({ ...known, ranking: 'sum' }, back).teams[0]).toMatchObject({ points: 1 });
});
