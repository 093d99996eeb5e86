export type PickCounts = Readonly<Record<number, number>>;

/** Picks one of those picked least often. A missing count equals the smallest. @returns null without candidates */
export function pickOneFairly(
  candidates: readonly number[],
  counts: PickCounts,
  random: () => number = secureRandom,
): { readonly picked: number; readonly counts: PickCounts } | null {
  if (candidates.length === 0) return null;
  const { least } = roundOf(candidates, counts);
  const countOf = (id: number) => counts[id] ?? least;
  const pool = candidates.filter((id) => countOf(id) === least);
  const picked = pool[Math.floor(random() * pool.length)] as number;
  const settled = Object.fromEntries(candidates.map((id) => [id, countOf(id)]));
  return { picked, counts: { ...counts, ...settled, [picked]: countOf(picked) + 1 } };
}

/** Picks different students fairly; fewer than `wanted` if there are fewer candidates. */
export function pickSeveralFairly(
  candidates: readonly number[],
  wanted: number,
  counts: PickCounts,
): { readonly picked: readonly number[]; readonly counts: PickCounts } {
  const picked: number[] = [];
  let now = counts;
  while (picked.length < wanted) {
    const left = candidates.filter((id) => !picked.includes(id));
    const result = pickOneFairly(left, now);
    if (!result) break;
    picked.push(result.picked);
    now = result.counts;
  }
  return { picked, counts: now };
}

/** Picks each candidate at most once a day until all were picked. @returns `again`: students who start anew */
export function pickWithoutRepeats(
  candidates: readonly number[],
  wanted: number,
  { counts, today }: { readonly counts: PickCounts; readonly today: readonly number[] },
): { readonly picked: readonly number[]; readonly counts: PickCounts; readonly again: readonly number[] } {
  const first = pickSeveralFairly(
    candidates.filter((id) => !today.includes(id)),
    wanted,
    counts,
  );
  const others = candidates.filter((id) => !first.picked.includes(id));
  const more = pickSeveralFairly(others, wanted - first.picked.length, first.counts);
  const picked = [...first.picked, ...more.picked];
  return { picked, counts: more.counts, again: more.picked.length > 0 ? candidates : [] };
}

function roundOf(candidates: readonly number[], counts: PickCounts) {
  const known = candidates.flatMap((id) => counts[id] ?? []);
  return { known, least: known.length === 0 ? 0 : Math.min(...known) };
}

function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;
}
