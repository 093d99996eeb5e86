import type { RowOf } from '../api/operation-types.ts';

type Classmate = Pick<RowOf<'listClassmates'>, 'id' | 'totalScore'>;

/** Where a student stands in the class, and how to say it kindly. */
export interface Standing {
  /** The position from 1, as in every ranking of the server: ties go by id. */
  readonly rank: number;
  readonly size: number;
  readonly mood: 'alone' | 'level' | 'first' | 'podium' | 'front' | 'climbing';
  /** Points that lead one place up; null for the first. */
  readonly toNext: number | null;
}

/**
 * Reads a student's place off the class, best first.
 *
 * @returns null where the student is not in the list
 */
export function standingOf(classmates: readonly Classmate[], ownId: number): Standing | null {
  const index = classmates.findIndex(({ id }) => id === ownId);
  const own = classmates[index];
  if (!own) return null;
  const ahead = classmates[index - 1];
  const rank = index + 1;
  const size = classmates.length;
  return { rank, size, mood: moodOf(classmates, rank), toNext: ahead ? pointsToPass(own, ahead) : null };
}

/** How many of a class have their places told to the others: the front half, and at least the podium. */
export function frontOf(size: number): number {
  return Math.max(3, Math.floor(size / 2));
}

function moodOf(classmates: readonly Classmate[], rank: number): Standing['mood'] {
  const size = classmates.length;
  if (size === 1) return 'alone';
  // With equal points for all, a rank would only tell who was entered first.
  if (classmates[0]?.totalScore === classmates.at(-1)?.totalScore) return 'level';
  if (rank === 1) return 'first';
  if (rank <= 3) return 'podium';
  return rank <= frontOf(size) ? 'front' : 'climbing';
}

function pointsToPass(own: Classmate, ahead: Classmate): number {
  const tieIsEnough = own.id < ahead.id;
  return ahead.totalScore - own.totalScore + (tieIsEnough ? 0 : 1);
}
