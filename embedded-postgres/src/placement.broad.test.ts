import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChildServer } from './testing/child-server.ts';
import {
  query,
  sharedDataFolder,
  startFailure,
  startServer,
  temporaryFolder,
} from './testing/test-servers.ts';

describe('Location and access of the database', () => {
  const shared = sharedDataFolder();

  it('listens on a socket in a directory that is closed to other users', async () => {
    const { connection } = await startServer(shared);
    expect(connection.host).toBe(path.join(shared.folder, 'socket'));
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    expect((await stat(connection.host)).uid).toBe((await stat(path.join(shared.folder, 'postgres'))).uid);
    expect((await stat(path.join(shared.folder, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  it('works over TCP with a random password, and rejects connections without it', async () => {
    const first = await startServer(shared);
    await query(first.connection, 'CREATE TABLE kept (id int)');
    await first.stop();
    const server = await startServer({ ...shared, transport: 'tcp' });
    const { connection } = server;
    expect(connection).toMatchObject({ host: '127.0.0.1', user: 'classledger', database: 'classledger' });
    expect(connection.password).toMatch(/^[\w-]{32}$/);
    expect(await query(connection, 'SELECT * FROM kept')).toEqual([]);
    for (const password of ['guess', '']) {
      await expect(query({ ...connection, password }, 'SELECT 1')).rejects.toThrow();
    }
    expect((await stat(path.join(shared.folder, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await readFile(path.join(shared.folder, 'postgres.password'), 'utf8')).trim()).toBe(
      connection.password,
    );
    await server.stop();
    await (await startServer(shared)).stop();
  });

  it('works in a path too long for a socket, and requires a closed replacement directory', async () => {
    const parent = path.join(await temporaryFolder(), 'x'.repeat(60), 'y'.repeat(120));
    const folder = path.join(parent, 'data');
    await mkdir(parent, { recursive: true });
    await rename(shared.folder, folder);
    onTestFinished(() => rename(folder, shared.folder));
    const server = await startServer({ folder });
    const { host } = server.connection;
    expect(host).toMatch(/\/classledger-[0-9a-f]{16}$/);
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(existsSync(host)).toBe(false);
    // Another user created it first: as an open directory, then as a link.
    await mkdir(host, { mode: 0o777 });
    await chmod(host, 0o777);
    expect(await startFailure({ folder })).toMatch(/must be a directory that is closed to other users/);
    await rmdir(host);
    await symlink(path.dirname(folder), host);
    expect(await startFailure({ folder })).toMatch(/must be a directory that is closed to other users/);
    await unlink(host);
  });

  it('works in a folder with unusual characters in its name', async () => {
    const folder = path.join(await temporaryFolder(), `it's "5, ü`, '-c x=$HOME');
    const server = await startServer({ folder });
    expect(server.connection.host.startsWith(folder)).toBe(true);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('recognises its server through a symbolic link to the folder', async () => {
    const link = path.join(await temporaryFolder(), 'link');
    await symlink(shared.folder, link);
    const holder = startChildServer(link);
    await holder.report;
    await holder.kill();
    expect((await startServer(shared)).wasTakenOver).toBe(true);
  });
});
