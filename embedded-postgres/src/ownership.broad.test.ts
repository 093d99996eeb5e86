import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startChildServer } from './testing/child-server.ts';
import {
  query,
  serversBelow,
  sharedDataFolder,
  startFailure,
  startServer,
  temporaryFolder,
} from './testing/test-servers.ts';

describe('Ownership of a data folder', () => {
  const shared = sharedDataFolder();

  it('rejects a second start in the same process, and the first server continues', async () => {
    const first = await startServer(shared);
    expect(await startFailure({ folder: `${shared.folder}/../data/` })).toBe(
      `The data folder ${shared.folder} is in use by another running Classledger (process ${process.pid}).`,
    );
    expect(await query(first.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('rejects a second process, names the owner’s process id, and the first server continues', async () => {
    const holder = startChildServer(shared.folder);
    const { connection } = await holder.report;
    expect(await startFailure(shared)).toBe(
      `The data folder ${shared.folder} is in use by another running Classledger (process ${holder.process.pid}).`,
    );
    expect(connection).toBeDefined();
    if (connection !== undefined) expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('goes to exactly one of several simultaneous first starts across processes', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const others = [startChildServer(folder), startChildServer(folder), startChildServer(folder)];
    const reports = await Promise.all(others.map((other) => other.report));
    const errors = reports.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(reports.filter(({ connection }) => connection !== undefined)).toHaveLength(1);
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(error).toMatch(/is in use by another running Classledger/);
    expect(await serversBelow(folder)).toHaveLength(1);
  });

  it('goes to exactly one of several simultaneous starts in one process', async () => {
    const results = await Promise.allSettled([startServer(shared), startServer(shared), startServer(shared)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await serversBelow(shared.folder)).toHaveLength(1);
  });

  it('is released after a failed start and after stop', async () => {
    expect(await startFailure({ ...shared, settings: { port: '1' } })).toContain('settings');
    await (await startServer(shared)).stop();
    await expect(startServer(shared)).resolves.toBeDefined();
  });

  it('lets a process exit without stopping its server, and prints no warning', async () => {
    const careless = startChildServer(shared.folder, { mode: 'leave' });
    const ended = new Promise((resolve) => careless.process.once('close', resolve));
    expect(await careless.report).toMatchObject({ adopted: false });
    expect(await ended).toBe(0);
    expect(careless.complaints()).toBe('');
    expect((await startServer(shared)).wasTakenOver).toBe(true);
  });
});
