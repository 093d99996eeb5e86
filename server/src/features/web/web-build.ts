import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Holds a folder per build, made by `commands/ensure-built.ts`. */
export const webBuilds = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** Returns the builds that contain `file`, the last built or chosen first. The server serves the first. */
export function builtFolders(folder = webBuilds, file = 'index.html'): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, file)))
    .map((path) => ({ path, wanted: statSync(path).mtimeMs }))
    .sort((one, other) => other.wanted - one.wanted)
    .map(({ path }) => path);
}
