import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
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

  // Each run draws other moments.
  it('works whenever the earlier start was killed', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    await killStartsAt(folder, [randomBetween(80, 1_300)]);
    await killStartsAt(folder, [randomBetween(80, 200), randomBetween(80, 200)]);
  });
});

async function killStartsAt(folder: string, moments: number[]): Promise<void> {
  for (const moment of moments) {
    const victim = startChildServer(folder);
    await sleep(moment);
    await victim.kill();
  }
  const server = await startEmbeddedPostgres({ folder });
  const circumstances = `killed after ${moments.map(Math.round)} ms`;
  expect(await query(server.connection, 'SELECT 1 AS one'), circumstances).toEqual([{ one: 1 }]);
  expect(await serversBelow(folder), circumstances).toHaveLength(1);
  await server.stop();
  expect(await serversBelow(folder), circumstances).toEqual([]);
}

function randomBetween(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
