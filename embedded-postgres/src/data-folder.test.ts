import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

  it.each([
    ['/dev/null/data', /EEXIST: file already exists/],
    ['file', /EEXIST: file already exists/],
    ['link/data', /ENOENT: no such file or directory/],
    ['loop', /ELOOP: too many symbolic links/],
    ['x'.repeat(300), /ENAMETOOLONG: name too long/],
  ])('a data folder at %s is rejected with a one-line message', async (place, line) => {
    const parent = await temporaryFolder();
    await writeFile(path.join(parent, 'file'), '');
    await symlink('/nowhere/data', path.join(parent, 'link'));
    await symlink(path.join(parent, 'loop'), path.join(parent, 'loop'));
    const failure = await prepareDataFolder(path.resolve(parent, place)).catch((error) => error);
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect(failure.message).toMatch(line);
    expect(failure.message).not.toContain('\n');
  });

  it.runIf(isRoot)('without write permission for this user is rejected with one line', async () => {
    const parent = await temporaryFolder();
    const folder = path.join(parent, 'data');
    const user = { uid: 65534, gid: 65534 };
    const said = /EACCES: permission denied.*: choose a folder that this user may write to/;
    // The folder cannot be created, then is closed, then read-only.
    expect((await startChildServer(folder, { user }).report).error).toMatch(said);
    await mkdir(folder);
    for (const mode of [0o700, 0o555]) {
      await chmod(folder, mode);
      expect((await startChildServer(folder, { user }).report).error).toMatch(said);
    }
  });
});
