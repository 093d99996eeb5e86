import type { RowOf } from '../../api/operation-types.ts';
import { sharedRanks } from '../../components/shared-ranks.ts';
import { frontOf } from '../own-rank.ts';

/** A classmate with the position in the class. */
export type Place<Mate = RowOf<'listClassmates'>> = Mate & { readonly rank: number; readonly own: boolean };

/** What a student is shown of the class, in three parts. */
interface ClassPlaces<Mate> {
  /** The first three, without those who are equal to someone behind them. */
  readonly podium: readonly Place<Mate>[];
  /** The rest of the front half, and the own place wherever it is. */
  readonly ranked: readonly Place<Mate>[];
  /** Those whose places no one else shall read off. */
  readonly others: readonly Place<Mate>[];
}

/** Tells the front of a class, and the own place, apart from those who are shown by name only. */
export function classPlaces<Mate extends { readonly id: number; readonly totalScore: number }>(
  classmates: readonly Mate[],
  ownId: number,
): ClassPlaces<Mate> {
  const totals = classmates.map(({ totalScore }) => totalScore);
  const ranks = sharedRanks(totals);
  const places = classmates.map((mate, i) => ({ ...mate, rank: ranks[i] ?? 0, own: mate.id === ownId }));
  // No one stands above an equal, and where all are equal no one stands in front.
  const whole = (size: number) => totals.findLastIndex((own, i) => i < size && own !== totals[i + 1]) + 1;
  const isLevel = totals[0] === totals.at(-1);
  const raised = isLevel || places.length < 3 ? 0 : whole(3);
  const front = isLevel ? 0 : whole(frontOf(places.length));
  return {
    podium: places.slice(0, raised),
    ranked: places.filter(({ own }, i) => i >= raised && (i < front || (own && !isLevel))),
    others: places.filter(({ own }, i) => i >= front && (!own || isLevel)),
  };
}
