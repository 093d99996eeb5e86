import type { RowOf } from '../api/operation-types.ts';

type Classmate = Pick<RowOf<'listClassmates'>, 'id' | 'totalScore'>;

/** Where a student stands in the class, and how to say it kindly. */
export interface OwnRank {
  /** From 1; equals share a rank. */
  readonly rank: number;
  readonly size: number;
  readonly mood: 'alone' | 'level' | 'first' | 'podium' | 'front' | 'climbing';
  /** Points that lead to the next better place; null for the first. */
  readonly toNext: number | null;
}

/**
 * Reads a student's place off the class, best first.
 *
 * @returns null where the student is not in the list
 */
export function ownRankOf(classmates: readonly Classmate[], ownId: number): OwnRank | null {
  const own = classmates.find(({ id }) => id === ownId);
  if (!own) return null;
  const better = classmates.filter(({ totalScore }) => totalScore > own.totalScore);
  const ahead = better.at(-1);
  return {
    rank: better.length + 1,
    size: classmates.length,
    mood: moodOf(classmates, own),
    toNext: ahead ? ahead.totalScore - own.totalScore : null,
  };
}

/** How many of a class have their places told to the others: the front half, and at least the podium. */
export function frontOf(size: number): number {
  return Math.max(3, Math.floor(size / 2));
}

function moodOf(classmates: readonly Classmate[], { totalScore }: Classmate): OwnRank['mood'] {
  const size = classmates.length;
  if (size === 1) return 'alone';
  // With equal points for all, a rank would say nothing.
  if (classmates[0]?.totalScore === classmates.at(-1)?.totalScore) return 'level';
  if (classmates[0]?.totalScore === totalScore) return 'first';
  // Who shares the second place with forty others is not among the first three.
  const upTo = classmates.filter((mate) => mate.totalScore >= totalScore).length;
  if (upTo <= 3) return 'podium';
  return upTo <= frontOf(size) ? 'front' : 'climbing';
}
