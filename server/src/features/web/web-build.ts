import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the builds of the pages lie, a folder each; see `commands/ensure-built.ts`, which puts them there. */
export const webBuilds = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/**
 * The folders of all builds that are there; the first one is served, which was wanted last.
 *
 * @param file that each complete build holds
 */
export function builtFolders(folder = webBuilds, file = 'index.html'): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, file)))
    .map((path) => ({ path, wanted: statSync(path).mtimeMs }))
    .sort((one, other) => other.wanted - one.wanted)
    .map(({ path }) => path);
}
