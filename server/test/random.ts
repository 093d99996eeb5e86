import { seededRandom } from '../src/demo/made-up-data.ts';

/** Makes failures repeatable. `TEST_SEED=42` tries another seed, for example with `npm run test:broad`. */
export const testSeed = Number(process.env.TEST_SEED ?? 20_261_122);

export { seededRandom as randomFrom };
