import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,bench,e2e}/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each worker holds a server and its database connections; two cores feed no more.
    maxWorkers: 2,
  },
});
