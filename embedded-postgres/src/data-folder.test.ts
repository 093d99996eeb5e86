import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { startChildServer } from './testing/child-server.ts';
import { isRoot, temporaryFolder } from './testing/test-servers.ts';

describe('Data folder', () => {
  it('a data folder is created with its parents, closed to other users, and resolved through links', async () => {
    const parent = await temporaryFolder();
    const folder = path.join(parent, 'deep', 'er', 'data');
    expect(await prepareDataFolder(folder)).toBe(folder);
    expect((await stat(folder)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    await symlink(path.join(parent, 'deep'), path.join(parent, 'link'));
    expect(await prepareDataFolder(path.join(parent, 'link', 'er', 'data'))).toBe(folder);
    expect(await prepareDataFolder(path.join(parent, 'link', 'other'))).toBe(
      path.join(parent, 'deep', 'other'),
    );
  });

  it('eight starts at once create a shared data folder without an error', async () => {
    const parent = await temporaryFolder();
    for (let round = 0; round < 100; round += 1) {
      const names = Array.from({ length: 8 }, (_, n) => path.join(parent, `${round}/a`, `b${n % 3}`));
      const starts: Promise<string>[] = [];
      for (const name of names) {
        starts.push(prepareDataFolder(name));
        // Starts at different moments, so that one falls between two steps of another.
        for (let turn = 0; turn < round % 3; turn += 1) await setImmediate();
      }
      expect(await Promise.all(starts)).toEqual(names);
    }
  });

  it.each([
    ['/proc/nowhere', /no folder can be created there/],
    ['/proc/nowhere/deep/data', /no folder can be created there/],
    ['/dev/null', /it is a file, or lies below one/],
    ['/dev/null/data', /it is a file, or lies below one/],
    ['file', /it is a file, or lies below one/],
    ['link', /link is a link to a missing folder/],
    ['link/data', /link is a link to a missing folder/],
    ['loop', /loop is a link to a missing folder/],
    ['x'.repeat(300), /its path is too long/],
    [`${'x'.repeat(15)}/`.repeat(30), /path of more than 450 bytes: choose a shorter one/],
  ])('a data folder at %s is rejected with a one-line message', async (place, line) => {
    const parent = await temporaryFolder();
    await writeFile(path.join(parent, 'file'), '');
    await symlink('/nowhere/data', path.join(parent, 'link'));
    await symlink(path.join(parent, 'loop'), path.join(parent, 'loop'));
    const failure = await prepareDataFolder(path.resolve(parent, place)).catch((error) => error);
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect(failure.message).toMatch(line);
    expect(failure.message).not.toContain('\n');
    expect(failure.message.length).toBeLessThan(500);
  });

  it.runIf(isRoot)('without write permission for this user is rejected with one line', async () => {
    const parent = await temporaryFolder();
    const folder = path.join(parent, 'data');
    const user = { uid: 65534, gid: 65534 };
    const said = /this user \(user id 65534\) is not allowed to; choose a folder that this user may write to/;
    // The folder cannot be created, then is closed, then read-only.
    expect((await startChildServer(folder, { user }).report).error).toMatch(said);
    await mkdir(folder);
    for (const mode of [0o700, 0o555]) {
      await chmod(folder, mode);
      expect((await startChildServer(folder, { user }).report).error).toMatch(said);
    }
  });
});
