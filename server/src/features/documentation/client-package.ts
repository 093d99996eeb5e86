import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolders } from '../web/web-build.ts';
import { KeptFile } from './kept-file.ts';

const fileName = 'classledger-client.tgz';
const usualBuilds = fileURLToPath(new URL('../../../../client/dist', import.meta.url));

/**
 * Reads the client package that was built last; see `commands/build-client.ts`.
 *
 * @returns undefined where none was built
 */
export async function clientPackage(builds = usualBuilds): Promise<KeptFile | undefined> {
  const [newest] = builtFolders(builds, fileName);
  return newest === undefined
    ? undefined
    : new KeptFile('application/gzip', await readFile(join(newest, fileName)));
}
