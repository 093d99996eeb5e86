import { prepareLayout } from '../data-folder.ts';
import type { Connection } from '../endpoint.ts';
import { fetchPrograms } from '../fetch-programs.ts';
import { obtainServer } from '../obtain-server.ts';
import { stopServer } from '../server-process.ts';
import { prepareServer } from '../server-spec.ts';

/** Makes a data folder of an older PostgreSQL. @param programs an empty folder for npm's downloads */
export async function startOlderServer(
  folder: string,
  major: string,
  programs: string,
): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const layout = await prepareLayout(folder);
  const binaries = await fetchPrograms(major, programs, new AbortController().signal);
  const server = await obtainServer(await prepareServer(layout, {}, { binaries }));
  return { connection: server.connection, stop: () => stopServer(server.process) };
}
