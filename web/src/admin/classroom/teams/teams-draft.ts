import { limits } from 'virtual:contract';
import type { Student, Team } from '@classledger/contract';
import { type Random, shuffled } from '../random.ts';

export interface DraftTeam {
  readonly key: string;
  readonly id?: number;
  readonly name: string;
  readonly colour: number;
  readonly userIds: readonly number[];
}

export interface TeamsDraft {
  readonly teams: readonly DraftTeam[];
  /** Whether members start at 0 points. Teams that remain keep their own points. */
  readonly anew: boolean;
}

export const teamsDraftOf = (teams: readonly Team[]): TeamsDraft => ({
  teams: teams.map(({ id, name, colour, userIds }) => ({ key: `team ${id}`, id, name, colour, userIds })),
  anew: false,
});

let keys = 0;

/** Adds a team with an unused name and, as long as there is one, an unused colour. */
export function addTeam(
  draft: TeamsDraft,
  nameOf: (number: number) => string,
  userIds: readonly number[] = [],
): TeamsDraft {
  const used = new Set(draft.teams.map(({ name }) => name));
  let number = draft.teams.length + 1;
  while (used.has(nameOf(number))) number++;
  const free = Array.from({ length: limits.colours }, (_, i) => i + 1).find(
    (one) => !draft.teams.some(({ colour }) => colour === one),
  );
  const colour = free ?? (draft.teams.length % limits.colours) + 1;
  const team: DraftTeam = { key: `new ${++keys}`, name: nameOf(number), colour, userIds };
  return { ...draft, teams: [...draft.teams, team] };
}

/** Moves students to a team. @param to null removes them from their teams */
export function moveStudents(draft: TeamsDraft, ids: readonly number[], to: string | null): TeamsDraft {
  const teams = draft.teams.map((team) => {
    const others = team.userIds.filter((id) => !ids.includes(id));
    return { ...team, userIds: team.key === to ? [...others, ...ids] : others };
  });
  return { ...draft, teams };
}

export const removeTeam = (draft: TeamsDraft, key: string): TeamsDraft => ({
  ...draft,
  teams: draft.teams.filter((team) => team.key !== key),
});

export const updateTeam = (draft: TeamsDraft, key: string, change: Partial<DraftTeam>): TeamsDraft => ({
  ...draft,
  teams: draft.teams.map((team) => (team.key === key ? { ...team, ...change } : team)),
});

/** Puts the groups into the existing teams, which keep their names. Adds or removes teams as needed. */
export function assignGroups(
  draft: TeamsDraft,
  groups: readonly (readonly number[])[],
  nameOf: (number: number) => string,
): TeamsDraft {
  const kept = draft.teams.slice(0, groups.length).map((team, i) => ({ ...team, userIds: groups[i] ?? [] }));
  let next: TeamsDraft = { teams: kept, anew: true };
  for (const group of groups.slice(kept.length)) next = addTeam(next, nameOf, group);
  return next;
}

export function teamNameErrorOf({ teams }: TeamsDraft, key: string): 'empty' | 'twice' | null {
  const name = teams.find((team) => team.key === key)?.name.trim() ?? '';
  if (name === '') return 'empty';
  return teams.some((team) => team.key !== key && team.name.trim() === name) ? 'twice' : null;
}

export type AssignmentMethod = 'shuffle' | 'byPoints' | 'groups';

type StudentWithTotal = Pick<Student, 'id' | 'totalScore'>;

interface TeamOptions {
  readonly count: number;
  /** Makes teams of similar strength: from the most points down, in alternating direction. Equal points are shuffled. */
  readonly byPoints: boolean;
  readonly random?: Random;
}

/** Assigns students to teams. Sizes differ by at most one; chance decides which teams are larger. */
export function assignToTeams(
  students: readonly StudentWithTotal[],
  { count, byPoints, random }: TeamOptions,
): number[][] {
  const teams: number[][] = Array.from({ length: count }, () => []);
  const order = shuffled(students, random);
  if (byPoints) order.sort((a, b) => b.totalScore - a.totalScore);
  for (const [turn, { id }] of order.entries()) {
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
  for (const id of ids) all.toSorted((a, b) => a.length - b.length)[0]?.push(id);
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
