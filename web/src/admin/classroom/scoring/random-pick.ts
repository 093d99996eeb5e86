/** Picks students not yet picked today, then others. @returns `again`: students who begin a new round */
export function pickWithoutRepeats(
  candidates: readonly number[],
  wanted: number,
  today: readonly number[],
  random: () => number = secureRandom,
): { readonly picked: readonly number[]; readonly again: readonly number[] } {
  const fresh = candidates.filter((id) => !today.includes(id));
  const others = candidates.filter((id) => today.includes(id));
  const picked = [...shuffled(fresh, random), ...shuffled(others, random)].slice(0, wanted);
  return { picked, again: picked.length > fresh.length ? candidates : [] };
}

/** Returns the ids in random order; each order is equally likely. */
function shuffled(ids: readonly number[], random: () => number): readonly number[] {
  const left = [...ids];
  return ids.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}

function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;
}
