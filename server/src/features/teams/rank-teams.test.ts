import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testSeed } from '../../../test/random.ts';
import { rankTeams, type UnrankedTeam } from './teams.ts';

const team = (id: number, size: number, memberPoints: number, ownPoints: number): UnrankedTeam => ({
  ...{ id, name: `Team ${id}`, colour: 1, memberPoints, ownPoints },
  userIds: Array.from({ length: size }, (_, i) => i + 1),
});
const pointsAndRanks = (teams: UnrankedTeam[], ranking: 'average' | 'sum') =>
  rankTeams(teams, ranking).map(({ points, rank }) => [points, rank]);

it('a team has its members’ points, as sum or average, plus its own, and equal teams share a rank', () => {
  const teams = [team(1, 3, 10, 1), team(2, 2, 7, 1), team(3, 0, 0, 5), team(4, 6, 20, 1)];
  expect(pointsAndRanks(teams, 'average')).toEqual([
    [4.3, 3],
    [4.5, 2],
    [5, 1],
    [4.3, 3],
  ]);
  expect(pointsAndRanks(teams, 'sum')).toEqual([
    [11, 2],
    [8, 3],
    [5, 4],
    [21, 1],
  ]);
});

it('ranks depend only on the displayed points', () => {
  const unranked = fc
    .tuple(fc.nat(30), fc.integer({ min: -500, max: 500 }), fc.integer({ min: -50, max: 50 }))
    .map(([size, members, own]) => team(size, size, members, own));
  const teams = fc.array(unranked, { maxLength: 20 });
  const check = (given: UnrankedTeam[], ranking: 'average' | 'sum') => {
    const ranked = rankTeams(given, ranking);
    expect(ranked.map(({ id }) => id)).toEqual(given.map(({ id }) => id));
    for (const one of ranked) {
      const exact =
        (ranking === 'sum' ? one.memberPoints : one.memberPoints / (one.userIds.length || 1)) + one.ownPoints;
      expect(Math.abs(one.points - exact)).toBeLessThanOrEqual(0.05 + 1e-9);
      for (const other of ranked) {
        expect(Math.sign(other.rank - one.rank)).toBe(Math.sign(one.points - other.points));
      }
    }
    const best = ranked.length === 0 ? [] : [1];
    expect([...new Set(ranked.map(({ rank }) => rank))].toSorted((a, b) => a - b).slice(0, 1)).toEqual(best);
  };
  fc.assert(fc.property(teams, fc.constantFrom('average' as const, 'sum' as const), check), {
    seed: testSeed,
  });
});
