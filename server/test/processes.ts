import { afterAll, afterEach } from 'vitest';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';

/** Starts processes with common settings in a folder of their own, and kills them after each test. */
export function processes(common: Record<string, string> = {}) {
  const folder = newFolder();
  const running: ServerProcess[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) if (!server.hasEnded) await server.kill();
  });
  afterAll(() => removeFolder(folder));

  function run(settings: Record<string, string>, command?: string, where = folder): ServerProcess {
    const server = new ServerProcess({ ...common, ...settings }, where, command);
    running.push(server);
    return server;
  }
  async function startServing(settings: Record<string, string>): Promise<ServerProcess> {
    const server = run({ PORT: '0', ...settings });
    await server.ready();
    return server;
  }
  return { folder, run, startServing };
}
