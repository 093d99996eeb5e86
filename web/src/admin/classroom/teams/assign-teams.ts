export type AssignmentMethod = 'shuffle' | 'points' | 'groups';

interface StudentWithTotal {
  readonly id: number;
  readonly totalScore: number;
}

/** Returns a number from 0 up to, but not including, 1. */
type Random = () => number;

/** Shuffles a list (Fisher and Yates): each order is equally likely. */
export function shuffled<T>(list: readonly T[], random: Random = secureRandom): T[] {
  const all = [...list];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other] as T, all[last] as T];
  }
  return all;
}

/** Assigns students to teams at random. Sizes differ by at most one; chance decides which teams are larger. */
export function assignRandomly(
  students: readonly StudentWithTotal[],
  count: number,
  random?: Random,
): number[][] {
  const teams: number[][] = Array.from({ length: count }, () => []);
  for (const [place, { id }] of shuffled(students, random).entries()) teams[place % count]?.push(id);
  return shuffled(teams, random);
}

/** Makes teams of similar strength: from the most points down, in alternating direction. Equal points are shuffled. */
export function assignByPoints(
  students: readonly StudentWithTotal[],
  count: number,
  random?: Random,
): number[][] {
  const teams: number[][] = Array.from({ length: count }, () => []);
  const strongestFirst = shuffled(students, random).sort((a, b) => b.totalScore - a.totalScore);
  for (const [turn, { id }] of strongestFirst.entries()) {
    const place = turn % count;
    const isBack = Math.floor(turn / count) % 2 === 1;
    teams[isBack ? count - 1 - place : place]?.push(id);
  }
  return shuffled(teams, random);
}

export function addToSmallestTeams(
  teams: readonly (readonly number[])[],
  ids: readonly number[],
): number[][] {
  const all = teams.map((team) => [...team]);
  for (const id of ids) {
    const smallest = all.reduce((least, team) => (team.length < least.length ? team : least), all[0] ?? []);
    smallest.push(id);
  }
  return all;
}

export function averageTotalsOf(
  teams: readonly { readonly userIds: readonly number[] }[],
  students: readonly StudentWithTotal[],
): readonly (number | null)[] {
  const totals = new Map(students.map(({ id, totalScore }) => [id, totalScore]));
  return teams.map(({ userIds }) => {
    if (userIds.length === 0) return null;
    return userIds.reduce((sum, id) => sum + (totals.get(id) ?? 0), 0) / userIds.length;
  });
}

function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;
}
