import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolders } from '../web/web-build.ts';
import { KeptFile } from './kept-file.ts';

const fileName = 'classledger-client.tgz';
const usualBuilds = fileURLToPath(new URL('../../../../client/dist', import.meta.url));

/** Reads the newest build of the client package; see `commands/build-client.ts`. Returns undefined without a build. */
export async function clientPackage(builds = usualBuilds): Promise<KeptFile | undefined> {
  const [newest] = builtFolders(builds, fileName);
  return newest === undefined
    ? undefined
    : new KeptFile('application/gzip', await readFile(join(newest, fileName)));
}
