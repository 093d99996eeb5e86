import { afterAll, afterEach } from 'vitest';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';

/**
 * Processes of a test file, in a folder of their own: killed after each test, when they run still.
 *
 * @param common settings of all of them
 */
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
  async function serving(settings: Record<string, string>): Promise<ServerProcess> {
    const server = run({ PORT: '0', ...settings });
    await server.ready();
    return server;
  }
  return { folder, run, serving };
}
