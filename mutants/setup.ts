import { afterAll, expect, inject } from 'vitest';

// Vitest runs this for every test file, before every other setup file. Its hook runs after every other hook.

declare global {
  /** The state that instrumented code reads and writes, in a worker of Vitest and in a page. */
  var mutants: { active: string; readonly reached: Set<string>; tell?: (id: string) => void } | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The id of the mutant that is switched on; empty for none. */
    activeMutant: string;
  }
  interface TaskMeta {
    /** Ids of the mutants whose code ran, whether they were switched on or off. */
    reachedMutants?: readonly string[];
  }
}

globalThis.mutants ??= { active: '', reached: new Set() };
const state = globalThis.mutants;
state.active = inject('activeMutant');

if (expect.getState().testPath?.includes('/e2e/')) {
  const { preparations } = await import('../e2e/src/harness/browser.ts');
  preparations.set('mutants', async (context) => {
    await context.exposeFunction('tellReached', (id: string) => state.reached.add(id));
    await context.addInitScript(`globalThis.mutants = {
      active: '${state.active}',
      reached: new Set(),
      tell: (id) => globalThis.tellReached(id).catch(() => {}),
    }`);
  });
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest takes nothing else.
afterAll(({}, file) => {
  file.meta.reachedMutants = [...state.reached];
  state.reached.clear();
});
