import type { RowOf } from '../../api/operation-types.ts';

type Classmate = RowOf<'listClassmates'>;

/** A classmate with a place, which the school tells; the points come with it. */
export type Place = Classmate & { readonly place: number; readonly totalScore: number };

/** What a student is shown of the class, in three parts. */
interface ClassPlaces {
  /** The first three, without those who are equal to someone behind them. */
  readonly podium: readonly Place[];
  /** The others who have a place. */
  readonly ranked: readonly Place[];
  /** Those who are shown by their names. */
  readonly others: readonly Classmate[];
}

const hasPlace = (mate: Classmate): mate is Place => mate.place !== null && mate.totalScore !== null;

/** Whether everyone has the same points, as far as that is told. */
export const isLevel = (mates: readonly Classmate[]) =>
  mates.length > 1 && mates.every(({ place }) => place === 1);

/** Parts the class as the server tells it: what is not told is nowhere worked out. */
export function classPlaces(mates: readonly Classmate[]): ClassPlaces {
  if (isLevel(mates)) return { podium: [], ranked: [], others: mates };
  const placed = mates.filter(hasPlace);
  // No one stands above an equal.
  const raised = placed.findLastIndex(({ place }, i) => i < 3 && place !== placed[i + 1]?.place) + 1;
  const onPodium = mates.length < 3 ? 0 : raised;
  return {
    podium: placed.slice(0, onPodium),
    ranked: placed.slice(onPodium),
    others: mates.filter((mate) => !hasPlace(mate)),
  };
}
