import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomFrom, testSeed } from '../../../../../server/test/random.ts';
import { addToSmallestTeams, assignToTeams, averageTotalsOf } from './teams-draft.ts';

const classOf = (totals: readonly number[]) => totals.map((totalScore, i) => ({ id: i + 1, totalScore }));
const totals = fc.array(fc.integer({ min: -50, max: 300 }), { minLength: 1, maxLength: 60 });
const check = (property: (totals: number[], count: number, seed: number) => void) =>
  fc.assert(fc.property(totals, fc.integer({ min: 1, max: 20 }), fc.nat(), property), { seed: testSeed });
const sizes = (teams: readonly (readonly number[])[]) => teams.map((team) => team.length);
const spread = (numbers: readonly number[]) => Math.max(...numbers) - Math.min(...numbers);

it('teams at random and by points have every student once, and sizes that differ by at most one', () => {
  check((points, count, seed) => {
    const students = classOf(points);
    for (const byPoints of [false, true]) {
      const teams = assignToTeams(students, { count, byPoints, random: randomFrom(seed) });
      expect(teams.flat().toSorted((a, b) => a - b)).toEqual(students.map(({ id }) => id));
      expect(teams.length).toBe(count);
      expect(spread(sizes(teams))).toBeLessThanOrEqual(1);
    }
  });
});

it('teams by points have averages closer than the best and last student’s points', () => {
  check((points, count, seed) => {
    // Uses equal team sizes, because averages of different sizes are hard to compare.
    const students = classOf(points.slice(0, Math.floor(points.length / count) * count));
    if (students.length === 0) return;
    const dealt = assignToTeams(students, { count, byPoints: true, random: randomFrom(seed) });
    const teams = dealt.map((userIds) => ({ userIds }));
    const averages = averageTotalsOf(teams, students).map(Number);
    const size = students.length / count;
    expect(spread(averages)).toBeLessThanOrEqual(spread(points) / size + 1e-9);
  });
});

it('addToSmallestTeams puts late students into the smallest teams', () => {
  expect(addToSmallestTeams([[1, 2], [3], [4, 5]], [6, 7])).toEqual([
    [1, 2, 7],
    [3, 6],
    [4, 5],
  ]);
  expect(averageTotalsOf([{ userIds: [1, 2] }, { userIds: [] }], classOf([3, 4]))).toEqual([3.5, null]);
});
