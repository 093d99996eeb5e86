import type { PickCounts } from './fair-pick.ts';
import { pickFairly } from './fair-pick.ts';

/**
 * Picks several different students fairly.
 *
 * @returns fewer than `wanted` where there are not so many
 */
export function pickSeveral(
  candidates: readonly number[],
  wanted: number,
  counts: PickCounts,
  random?: () => number,
): { readonly picked: readonly number[]; readonly counts: PickCounts } {
  const picked: number[] = [];
  let now = counts;
  while (picked.length < wanted) {
    const left = candidates.filter((id) => !picked.includes(id));
    const result = random ? pickFairly(left, now, random) : pickFairly(left, now);
    if (!result) break;
    picked.push(result.picked);
    now = result.counts;
  }
  return { picked, counts: now };
}

/** How many of these had their turn in the current round, in which everyone comes once; all, when it is over. */
export function turnsTaken(candidates: readonly number[], counts: PickCounts): number {
  const known = candidates.flatMap((id) => (counts[id] === undefined ? [] : [counts[id]]));
  const least = known.length === 0 ? 0 : Math.min(...known);
  return known.filter((count) => count > least).length || (least > 0 ? candidates.length : 0);
}
