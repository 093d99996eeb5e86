import { readFile } from 'node:fs/promises';
import { type Layout, prepareLayout } from './data-folder.ts';
import { undefinedIfMissing } from './embedded-postgres-error.ts';
import { type Connection, connectionTo, type Endpoint } from './endpoint.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isServingCluster } from './product-database.ts';

/** Returns how to connect to another process's server; undefined when none accepts this user. */
export async function findRunningServer(folder: string): Promise<Connection | undefined> {
  const layout = await prepareLayout(folder);
  const file = await readPostmasterFile(layout.cluster);
  if (typeof file !== 'object' || file.status !== 'ready') return undefined;
  const endpoint: Endpoint =
    file.socketDirectory === ''
      ? { kind: 'tcp', port: file.port }
      : { kind: 'socket', directory: file.socketDirectory, port: file.port };
  const connection = connectionTo(endpoint, await readTcpPassword(layout));
  return (await isServingCluster(connection, layout.cluster)) ? connection : undefined;
}

async function readTcpPassword(layout: Layout): Promise<string> {
  return (await undefinedIfMissing(readFile(layout.passwordFile, 'utf8')))?.trim() ?? '';
}
