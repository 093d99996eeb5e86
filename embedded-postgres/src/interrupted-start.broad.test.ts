import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startChildServer } from './testing/child-server.ts';
import { query, serversBelow, startServer, temporaryFolder } from './testing/test-servers.ts';

describe('Start after an interrupted start', () => {
  it('completes the creation from every step at which it was interrupted', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const password = path.join(folder, 'postgres.password');
    const halfDone = path.join(folder, 'postgres.new-0badcafe', 'cluster');
    await mkdir(halfDone, { recursive: true });
    await writeFile(path.join(halfDone, 'PG_VERSION'), '18\n');
    await writeFile(`${password}.new`, 'of the broken attempt\n');
    await (await startServer({ folder, transport: 'tcp' })).stop();
    // Only the last rename is missing.
    await rename(password, `${password}.new`);
    const server = await startServer({ folder, transport: 'tcp' });
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(folder)).filter((name) => name.includes('.new'))).toEqual([]);
  });

  it('works after one was killed while it created the cluster, and one while its server started', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const isCreating = async () =>
      (await readdir(folder).catch(() => [])).some((name) => name.startsWith('postgres.new-'));
    const isStarting = async () => existsSync(path.join(folder, 'postgres', 'postmaster.pid'));
    for (const moment of [isCreating, isStarting]) {
      const victim = startChildServer(folder);
      await expect.poll(moment, { interval: 5 }).toBe(true);
      await victim.kill();
    }
    const server = await startServer({ folder });
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(serversBelow(folder)).toHaveLength(1);
    await server.stop();
    expect(serversBelow(folder)).toEqual([]);
  });
});
