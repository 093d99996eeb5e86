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

export const isTied = (classmates: readonly Classmate[]) =>
  classmates.length > 1 && classmates.every(({ place }) => place === 1);

/** Splits the class into podium, other ranked students, and students without a shown place. */
export function classRanking(classmates: readonly Classmate[]): ClassRanking {
  if (isTied(classmates)) return { podium: [], ranked: [], others: classmates };
  const placed = classmates.filter(hasPlace);
  const raised = placed.findLastIndex(({ place }, i) => i < 3 && place !== placed[i + 1]?.place) + 1;
  const onPodium = classmates.length < 3 ? 0 : raised;
  return {
    podium: placed.slice(0, onPodium),
    ranked: placed.slice(onPodium),
    others: classmates.filter((mate) => !hasPlace(mate)),
  };
}
