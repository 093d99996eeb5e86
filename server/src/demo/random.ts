/** Returns numbers from 0 to below 1. */
export type Random = () => number;

/** Draws the same numbers for the same seed (mulberry32), so that each demonstration shows the same school. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pickRandom = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;
