import { defineConfig } from 'vitest/config';
import { serverTests } from './vitest.config.ts';

/** The tests of the server on a cluster of Citus: `npm run test:distributed`. */
export default defineConfig({
  ...serverTests,
  test: {
    ...serverTests.test,
    globalSetup: ['server/test/distributed/global-setup.ts'],
    include: ['server/{src,test}/**/*.test.ts', 'server/test/distributed/*.citus.ts'],
    exclude: [
      // Brings deadlocks about in one PostgreSQL; Citus finds those between nodes in another way.
      '**/scores/ledger-failures.test.ts',
    ],
  },
});
