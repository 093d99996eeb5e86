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
    // A busy machine takes its time: what shows comes when it comes, and only what hangs is given up.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // Each worker holds a server and its database connections; two cores feed no more.
    maxWorkers: 2,
  },
});
