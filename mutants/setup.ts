import { afterAll, expect, inject } from 'vitest';

// Vitest runs this file before every other setup file, and its `afterAll` hook after all others.

declare global {
  /** Setup files and instrumented code share this object: one in each worker, and one in each page. */
  var mutants: { active: string; readonly reached: Set<string>; tell?: (id: string) => void } | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The ids of the active mutants, with spaces between; empty for none. */
    activeMutants: string;
  }
  interface TaskMeta {
    /** Mutants whose code ran, active or not. */
    reachedMutants?: readonly string[];
  }
}

globalThis.mutants ??= { active: '', reached: new Set() };
const state = globalThis.mutants;
state.active = inject('activeMutants');

if (expect.getState().testPath?.includes('/e2e/')) {
  const { contextSetups } = await import('../e2e/src/harness/browser.ts');
  contextSetups.set('mutants', async (context) => {
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
