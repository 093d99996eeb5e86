import { mkdirSync, writeFileSync } from 'node:fs';
import { sources } from './sources.ts';

/** Writes the client's files that are generated from the contract. */
const folder = new URL('../src/generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of sources()) writeFileSync(new URL(name, folder), text);
