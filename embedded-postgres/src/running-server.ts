import { readFile } from 'node:fs/promises';
import { type Layout, prepareLayout } from './data-folder.ts';
import { ifThere } from './embedded-postgres-error.ts';
import { type Connection, connectionTo, type Endpoint } from './endpoint.ts';
import { servesCluster } from './entry.ts';
import { readPostmasterFile } from './postmaster-file.ts';

/**
 * How to connect to the server that another process runs on a data folder, for a command that works beside it. It stays
 * the other's: it goes away when that process ends.
 *
 * @returns undefined where no server takes connections, or not yet, or this user may not ask it
 */
export async function findRunningServer(folder: string): Promise<Connection | undefined> {
  const layout = await prepareLayout(folder);
  const file = await readPostmasterFile(layout.cluster);
  if (typeof file !== 'object' || file.status !== 'ready') return undefined;
  const endpoint: Endpoint =
    file.socketDirectory === ''
      ? { kind: 'tcp', port: file.port }
      : { kind: 'socket', directory: file.socketDirectory, port: file.port };
  const connection = connectionTo(endpoint, await password(layout));
  return (await servesCluster(connection, layout.cluster)) ? connection : undefined;
}

/** Of TCP; whoever may enter the socket's folder needs none. */
async function password(layout: Layout): Promise<string> {
  return (await ifThere(readFile(layout.passwordFile, 'utf8')))?.trim() ?? '';
}
