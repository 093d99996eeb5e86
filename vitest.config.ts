import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { AreaReporter } from './server/test/area-reporter.ts';
import { LongestFirst } from './server/test/longest-first.ts';
import { contractTables } from './web/vite/contract-tables.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Replaces slow modules by cheaper ones: when the file `at` imports `of`, it gets `is`. */
const standIns = [
  // A password takes 10 ms of a processor to hash, and thousands are made.
  { of: '@node-rs/argon2', at: '/access/passwords.ts', is: 'server/test/cheap-argon2.ts' },
  // Half of what an application takes to be built, and hundreds are.
  { of: 'fastify', at: '/server/src/application/app.ts', is: 'server/test/cached-serializers.ts' },
  { of: 'typebox/schema', at: '/server/src/http/input.ts', is: 'server/test/cached-validators.ts' },
  // A third of it.
  { of: '@fastify/static', at: '/features/web/page-routes.ts', is: 'server/test/assets-on-request.ts' },
];

const cheaper: Plugin = {
  name: 'cheaper',
  enforce: 'pre',
  resolveId(source, importer) {
    const standIn = standIns.find(({ of, at }) => source === of && importer?.endsWith(at));
    return standIn ? here(standIn.is) : null;
  },
};

const plugins = [contractTables(), cheaper];

/** Of both projects. */
const shared = {
  // Modules are loaded once per worker instead of once per file, which took a third of the time. Each file has
  // an application and a database of its own all the same.
  isolate: false,
  // The limits are generous because the machine may be busy. Only a test that hangs should reach them.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000, interval: 50 } },
  // Each worker holds a server and its database connections. They wait for a third of their time, so two cores feed three.
  maxWorkers: 3,
};

const serverFiles =
  '{contract,client,embedded-postgres,json-pages,server,bench,web,release,mutants,development}/**';

/** The tests of everything but pages. */
export const serverTests = {
  plugins,
  test: {
    ...shared,
    name: 'server',
    include: [`${serverFiles}/*.test.ts`],
    exclude: ['**/node_modules/**', '**/*.broad.test.ts'],
    provide: { tier: 'deep' as 'deep' | 'broad' },
    setupFiles: ['server/test/after-each-file.ts', 'server/test/server-setup.ts'],
  },
};

const pageTests = {
  plugins,
  test: {
    ...shared,
    name: 'pages',
    include: ['e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.broad.test.ts'],
    provide: { tier: 'deep' as 'deep' | 'broad' },
    setupFiles: ['server/test/after-each-file.ts', 'e2e/src/harness/around-each-test.ts'],
  },
};

const together = {
  globalSetup: ['server/test/global-setup.ts'],
  reporters: [new AreaReporter()],
  sequence: { sequencer: LongestFirst },
};

/**
 * Runs the tests of `npm run test:broad`: those that start processes, flood, fuzz or look at each page as each role, and
 * the specification at the ages that `npm test` leaves out.
 */
const broad = <T extends typeof pageTests>({ test, ...project }: T, include: readonly string[]) => ({
  ...project,
  test: {
    ...test,
    include: [...include],
    exclude: ['**/node_modules/**'],
    provide: { tier: 'broad' as const },
  },
});

export const broadTests = {
  ...together,
  projects: [
    broad(pageTests, ['e2e/**/*.broad.test.ts']),
    broad(serverTests, [`${serverFiles}/*.broad.test.ts`, 'server/test/specification.test.ts']),
  ],
};

export default defineConfig({ test: { ...together, projects: [pageTests, serverTests] } });
