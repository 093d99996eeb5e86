import type { RowOf } from '../../api/operation-types.ts';

type Classmate = RowOf<'listClassmates'>;

export type RankedClassmate = Classmate & { readonly place: number; readonly totalScore: number };

interface ClassRanking {
  /** At most the first three. Leaves out students who share their place with the student after the podium. */
  readonly podium: readonly RankedClassmate[];
  readonly ranked: readonly RankedClassmate[];
  readonly others: readonly Classmate[];
}

const hasPlace = (mate: Classmate): mate is RankedClassmate =>
  mate.place !== null && mate.totalScore !== null;

export const isTied = (mates: readonly Classmate[]) =>
  mates.length > 1 && mates.every(({ place }) => place === 1);

/** Splits the class into podium, other ranked students, and students without a shown place. */
export function classRanking(mates: readonly Classmate[]): ClassRanking {
  if (isTied(mates)) return { podium: [], ranked: [], others: mates };
  const placed = mates.filter(hasPlace);
  const raised = placed.findLastIndex(({ place }, i) => i < 3 && place !== placed[i + 1]?.place) + 1;
  const onPodium = mates.length < 3 ? 0 : raised;
  return {
    podium: placed.slice(0, onPodium),
    ranked: placed.slice(onPodium),
    others: mates.filter((mate) => !hasPlace(mate)),
  };
}
