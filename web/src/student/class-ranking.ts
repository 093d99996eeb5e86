import type { RowOf } from '../api/operation-types.ts';

type Classmate = RowOf<'listClassmates'>;

export type RankedClassmate = Classmate & { readonly place: number; readonly totalScore: number };

const hasPlace = (mate: Classmate): mate is RankedClassmate =>
  mate.place !== null && mate.totalScore !== null;

export const isTied = (classmates: readonly Classmate[]) =>
  classmates.length > 1 && classmates.every(({ place }) => place === 1);

/** Splits the class into podium, other ranked students, and students without a shown place. */
export function classRanking(classmates: readonly Classmate[]) {
  if (isTied(classmates)) return { podium: [], ranked: [], others: classmates };
  const placed = classmates.filter(hasPlace);
  // At most the first three, without students who share their place with the student after the podium.
  const raised = placed.findLastIndex(({ place }, i) => i < 3 && place !== placed[i + 1]?.place) + 1;
  const onPodium = classmates.length < 3 ? 0 : raised;
  return {
    podium: placed.slice(0, onPodium),
    ranked: placed.slice(onPodium),
    others: classmates.filter((mate) => !hasPlace(mate)),
  };
}

interface OwnRank {
  /** From 1; students with equal points share a place. Null when the school does not show the place. */
  readonly place: number | null;
  readonly size: number;
  readonly situation: 'alone' | 'level' | 'first' | 'podium' | 'front' | 'climbing';
  /** Points to the next better place that the school shows; null if there is none. */
  readonly pointsToNext: number | null;
}

/** Returns the student's place in the class; null when the student is not in the list. */
export function ownRankOf(classmates: readonly Classmate[], ownId: number): OwnRank | null {
  const own = classmates.find(({ id }) => id === ownId);
  if (!own) return null;
  const points = own.totalScore ?? 0;
  const ahead = classmates
    .filter(({ place, totalScore }) => place !== null && (totalScore ?? 0) > points)
    .map(({ totalScore }) => totalScore ?? 0);
  return {
    place: own.place,
    size: classmates.length,
    situation: situationOf(classmates, own),
    pointsToNext: ahead.length > 0 ? Math.min(...ahead) - points : null,
  };
}

function situationOf(classmates: readonly Classmate[], { place }: Classmate): OwnRank['situation'] {
  if (classmates.length === 1) return 'alone';
  if (place === null) return 'climbing';
  // If all students have equal points, a place means nothing.
  if (isTied(classmates)) return 'level';
  if (place === 1) return 'first';
  // Counts all students up to this place: one who shares second place with forty others is not near the top.
  const upTo = classmates.filter((mate) => mate.place !== null && mate.place <= place).length;
  if (upTo <= 3) return 'podium';
  return upTo <= Math.ceil(classmates.length / 2) ? 'front' : 'climbing';
}
