import { defineConfig } from 'vitest/config';

/** `npm run test:cluster`: tests across several processes and servers; they need Debian's packages. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/needed-packages.ts'],
    testTimeout: 400_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 50 } },
    // Runs two files at once, because the tests mostly wait.
    maxWorkers: 2,
  },
});
