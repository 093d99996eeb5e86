import { defineConfig } from 'vitest/config';
import { contractTables } from './web/vite/contract-tables.ts';

export default defineConfig({
  plugins: [contractTables()],
  test: {
    include: ['{contract,server,bench,e2e,web}/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    setupFiles: ['server/test/after-each-file.ts'],
    // Modules are loaded once per worker instead of once per file, which took a third of the time. Each file has
    // an application and a database of its own all the same.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a page shows comes when it comes; a busy machine takes its time.
    expect: { poll: { timeout: 10_000, interval: 50 } },
    // Each worker holds a server and its database connections; two cores feed no more.
    maxWorkers: 2,
  },
});
