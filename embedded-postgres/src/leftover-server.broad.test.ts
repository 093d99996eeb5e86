import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { identifyByPs, identifyProcess } from './process-identity.ts';
import { startChildServer } from './testing/child-server.ts';
import {
  query,
  serverPid,
  serversBelow,
  sharedDataFolder,
  startServer,
  waitUntilSleeping,
} from './testing/test-servers.ts';

describe('Server left behind by a killed process', () => {
  const shared = sharedDataFolder();

  it('is stopped by the next start, whose new server has no sessions of the killed process', async () => {
    const holder = startChildServer(shared.folder);
    const { connection } = await holder.report;
    if (connection === undefined) throw new Error('the other process did not start');
    const late = query(connection, 'SELECT pg_sleep(30)').catch((error) => error);
    await waitUntilSleeping(connection);
    await holder.kill();
    const pid = await serverPid(shared.folder);
    const cluster = path.join(shared.folder, 'postgres');
    // It is told from other processes, also where there is no /proc.
    for (const how of [identifyProcess, identifyByPs]) {
      expect(how(pid, cluster)).toBe('postmaster');
      expect(how(pid, `${cluster}-2`)).toBe('other');
    }
    const server = await startServer(shared);
    expect(await late).toBeInstanceOf(Error);
    expect(await serverPid(shared.folder)).not.toBe(pid);
    expect(serversBelow(shared.folder)).toEqual([await serverPid(shared.folder)]);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await readFile(path.join(shared.folder, 'postgres.log'), 'utf8')).toContain(
      'database system is shut down',
    );
  });

  it('is awaited while it shuts down, then started again', async () => {
    const holder = startChildServer(shared.folder);
    const { connection } = await holder.report;
    // A smart shutdown waits for clients, and this one stays connected.
    const client = new pg.Client({ ...connection });
    client.on('error', () => {});
    await client.connect();
    await holder.kill();
    const pid = await serverPid(shared.folder);
    process.kill(pid, 'SIGTERM');
    const postmasterFile = path.join(shared.folder, 'postgres', 'postmaster.pid');
    await expect.poll(() => readFile(postmasterFile, 'utf8')).toContain('stopping');
    await startServer(shared);
    expect(serversBelow(shared.folder)).toEqual([await serverPid(shared.folder)]);
    expect(await serverPid(shared.folder)).not.toBe(pid);
  });

  it('is not disturbed by a copy of its folder, which gets its own server', async () => {
    const original = await startServer(shared);
    const copy = path.join(path.dirname(shared.folder), 'copy');
    await query(original.connection, 'CHECKPOINT');
    await cp(shared.folder, copy, {
      recursive: true,
      // Sockets cannot be copied, and reading the lock file would release this process's own lock.
      filter: (source) => !/socket|owner\.lock/.test(source.slice(shared.folder.length)),
    });
    const server = await startServer({ folder: copy });
    expect(server.connection.host).not.toBe(original.connection.host);
    expect(await query(original.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(serversBelow(path.dirname(shared.folder))).toHaveLength(2);
  });

  it.each([
    ['whose process id now belongs to another process', process.ppid],
    ['whose process id is that of the starting process', process.pid],
    ['that is empty after a power failure', undefined],
  ])('does not prevent a start by a stale lock file %s', async (_, pid) => {
    const socket = path.join(shared.folder, 'socket');
    const text = pid ? `${pid}\n${shared.folder}\n1\n5432\n${socket}\n\n1 1\nready   \n` : '';
    await writeFile(path.join(shared.folder, 'postgres', 'postmaster.pid'), text);
    await writeFile(path.join(socket, '.s.PGSQL.5432.lock'), text);
    const server = await startServer(shared);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('delays a start, without failing it, until its remaining processes end', async () => {
    const server = await startEmbeddedPostgres(shared);
    const client = new pg.Client({ ...server.connection });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    // A stopped session acts like a busy one: it does not notice that its main process is dead.
    process.kill(rows[0].pid, 'SIGSTOP');
    onTestFinished(() => goOn(rows[0].pid));
    process.kill(await serverPid(shared.folder), 'SIGKILL');
    await server.lost;
    await server.stop();
    const log = path.join(shared.folder, 'postgres.log');
    const { size } = await stat(log);
    const again = startServer(shared);
    const since = async () => (await readFile(log)).subarray(size).toString();
    await expect.poll(since).toContain('pre-existing shared memory');
    // The session dies now and logs that to the log of the new server.
    goOn(rows[0].pid);
    expect(await query((await again).connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await since()).toContain('terminating connection due to unexpected postmaster exit');
  });
});

function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
}
