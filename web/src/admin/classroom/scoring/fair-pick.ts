/** How often each student was picked so far, by id. */
export type PickCounts = Readonly<Record<number, number>>;

/**
 * Picks someone at random so that it stays fair: only those who were picked least often so far can be picked, each
 * with the same chance. So everyone comes once before anyone comes twice, and no one knows when. Students who
 * join late count as picked as often as the least picked of the others.
 *
 * @param random a number in [0, 1)
 * @returns null when there is no one to pick
 */
export function pickFairly(
  candidates: readonly number[],
  counts: PickCounts,
  random: () => number = secureRandom,
): { readonly picked: number; readonly counts: PickCounts } | null {
  if (candidates.length === 0) return null;
  const known = candidates.flatMap((id) => (counts[id] === undefined ? [] : [counts[id]]));
  const least = known.length === 0 ? 0 : Math.min(...known);
  const countOf = (id: number) => counts[id] ?? least;
  const pool = candidates.filter((id) => countOf(id) === least);
  const picked = pool[Math.floor(random() * pool.length)] as number;
  const settled = Object.fromEntries(candidates.map((id) => [id, countOf(id)]));
  return { picked, counts: { ...counts, ...settled, [picked]: countOf(picked) + 1 } };
}

function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;
}
