import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,bench,e2e}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
