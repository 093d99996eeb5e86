/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

const secureRandom: Random = () => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;

export function shuffled<T>(list: readonly T[], random: Random = secureRandom): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}

/** Picks students not yet picked today, then others. @returns `again`: students who begin a new round */
export function pickWithoutRepeats(
  candidates: readonly number[],
  wanted: number,
  today: readonly number[],
  random?: Random,
): { readonly picked: readonly number[]; readonly again: readonly number[] } {
  const fresh = candidates.filter((id) => !today.includes(id));
  const others = candidates.filter((id) => today.includes(id));
  const picked = [...shuffled(fresh, random), ...shuffled(others, random)].slice(0, wanted);
  return { picked, again: picked.length > fresh.length ? candidates : [] };
}
