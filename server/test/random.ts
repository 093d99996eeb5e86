/**
 * What random tests start from. It is the same in every run, so that a change fails for what it does and not by chance:
 * `TEST_SEED=42 npx vitest run server/test/fuzz` tries other values.
 */
export const testSeed = Number(process.env.TEST_SEED ?? 20_261_122);
/**
 * Numbers from 0 up to 1 that follow from the seed alone (mulberry32), so that a failed run can be repeated.
 */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
