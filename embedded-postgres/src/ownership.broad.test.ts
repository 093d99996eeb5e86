import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdServer } from './testing/held-server.ts';
import {
  query,
  refusal,
  serversBelow,
  sharedDataFolder,
  start,
  temporaryFolder,
} from './testing/workplace.ts';

describe('the ownership of a data folder', () => {
  const shared = sharedDataFolder();

  it('refuses a second start in the same process, and the first goes on', async () => {
    const first = await start(shared);
    expect(await refusal({ folder: `${shared.folder}/../data/` })).toBe(
      `The data folder ${shared.folder} is in use by another running Classledger (process ${process.pid}).`,
    );
    expect(await query(first.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('refuses a second process at once, names the first, and the first goes on', async () => {
    const holder = holdServer(shared.folder);
    const { connection } = await holder.report;
    expect(await refusal(shared)).toBe(
      `The data folder ${shared.folder} is in use by another running Classledger (process ${holder.process.pid}).`,
    );
    expect(connection).toBeDefined();
    if (connection !== undefined) expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('lets exactly one of several simultaneous first starts win, whatever process they are in', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const others = [holdServer(folder), holdServer(folder), holdServer(folder)];
    const reports = await Promise.all(others.map((other) => other.report));
    const errors = reports.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(reports.filter(({ connection }) => connection !== undefined)).toHaveLength(1);
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(error).toMatch(/is in use by another running Classledger/);
    expect(await serversBelow(folder)).toHaveLength(1);
  });

  it('lets exactly one of several simultaneous starts win within one process', async () => {
    const results = await Promise.allSettled([start(shared), start(shared), start(shared)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await serversBelow(shared.folder)).toHaveLength(1);
  });

  it('gives the folder up after a failed start and after stop', async () => {
    expect(await refusal({ ...shared, settings: { port: '1' } })).toContain('settings');
    await (await start(shared)).stop();
    await expect(start(shared)).resolves.toBeDefined();
  });

  it('prints no warnings, and lets a process end that never stops its server', async () => {
    const careless = holdServer(shared.folder, { mode: 'leave' });
    const ended = new Promise((resolve) => careless.process.once('close', resolve));
    expect(await careless.report).toMatchObject({ adopted: false });
    expect(await ended).toBe(0);
    expect(careless.complaints()).toBe('');
    expect((await start(shared)).adopted).toBe(true);
  });
});
