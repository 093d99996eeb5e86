import { defineConfig } from 'vitest/config';

/** `npm run test:cluster`: what holds over several processes and servers; needs Debian's packages. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/needed-packages.ts'],
    testTimeout: 400_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 50 } },
    // A good part of the time is waiting: for a drain, for a promotion.
    maxWorkers: 2,
  },
});
