import type { RowOf } from '../../../api/operation-types.ts';
import { frontOf, standingOf } from '../../standing.ts';

/** A classmate with the position in the class. */
export type Place<Mate = RowOf<'listClassmates'>> = Mate & { readonly rank: number; readonly own: boolean };

/** What a student is shown of the class, in three parts. */
interface ClassPlaces<Mate> {
  /** The first three; none where there is no difference, as nobody stands above others then. */
  readonly podium: readonly Place<Mate>[];
  /** The rest of the front half, and the own place wherever it is. */
  readonly ranked: readonly Place<Mate>[];
  /** Those whose places nobody else shall read off. */
  readonly others: readonly Place<Mate>[];
}

/** Tells the front of a class, and the own place, apart from those who are shown by name only. */
export function classPlaces<Mate extends { readonly id: number; readonly totalScore: number }>(
  classmates: readonly Mate[],
  ownId: number,
): ClassPlaces<Mate> {
  const places = classmates.map((mate, i) => ({ ...mate, rank: i + 1, own: mate.id === ownId }));
  if (standingOf(classmates, ownId)?.mood === 'level') return { podium: [], ranked: [], others: places };
  const front = frontOf(places.length);
  const raised = places.length >= 3 ? 3 : 0;
  return {
    podium: places.slice(0, raised),
    ranked: places.filter(({ rank, own }) => rank > raised && (rank <= front || own)),
    others: places.filter(({ rank, own }) => rank > front && !own),
  };
}
