import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm test` proves each rule once; `npm run test:broad` repeats and multiplies. */
    tier: 'deep' | 'broad';
  }
}

export const isBroad = inject('tier') === 'broad';

/** The cases of a table for this run: the first in `npm test`, the others in the broad tests. */
export const inTier = <T>(cases: readonly T[]): readonly T[] =>
  isBroad ? cases.slice(1) : cases.slice(0, 1);
