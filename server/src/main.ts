#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Loaded code is kept compiled and stripped of types, for a quicker start and a smaller process. Where the folder
// cannot be written, nothing is kept. It is not the shared temporary folder: others could put code there.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
const { main } = await import('./command-line.ts');
await main(process.argv[2], process.argv[3]);
