import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolders } from '../web/web-build.ts';
import { CachedFile } from './cached-file.ts';

const fileName = 'classledger-client.tgz';
const defaultBuildFolder = fileURLToPath(new URL('../../../../client/dist', import.meta.url));

/** Returns undefined without a build; see `commands/build-client.ts`. */
export async function readClientPackage(builds = defaultBuildFolder): Promise<CachedFile | undefined> {
  const [newest] = builtFolders(builds, fileName);
  return newest === undefined
    ? undefined
    : new CachedFile('application/gzip', await readFile(join(newest, fileName)));
}
