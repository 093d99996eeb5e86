import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

const folder = new URL('../src/generated/', import.meta.url);

/** Writes `client/src/generated`. Leaves current files alone, so that file watchers react only to changes. */
export function generateClient(): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of generatedFiles()) {
    const file = new URL(name, folder);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateClient();
