import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the builds of the pages lie, a folder each; see `commands/build-web.ts`, which puts them there. */
export const webBuilds = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** The folders of all builds that are there; what is served is the first, which was wanted last. */
export function builtFolders(folder = webBuilds): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, 'index.html')))
    .map((path) => ({ path, wanted: statSync(path).mtimeMs }))
    .sort((one, other) => other.wanted - one.wanted)
    .map(({ path }) => path);
}
