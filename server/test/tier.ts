import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm test` proves each rule once; `npm run test:broad` repeats and multiplies. */
    tier: 'deep' | 'broad';
  }
}

export const isBroad = inject('tier') === 'broad';

/** How many rounds a race takes: all of them in the broad tests, a quarter in `npm test`. */
export const rounds = (all: number): number => (isBroad ? all : Math.ceil(all / 4));
