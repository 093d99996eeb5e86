import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { locateBinaries } from './binaries.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { startChildServer } from './testing/child-server.ts';
import {
  isRoot,
  query,
  serverPid,
  serversBelow,
  sharedDataFolder,
  startFailure,
  startServer,
  temporaryFolder,
} from './testing/test-servers.ts';

const shared = sharedDataFolder();

describe('Running server', () => {
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    server = await startEmbeddedPostgres(shared);
  });
  afterAll(() => server.stop());

  it('keeps its data folder: a second start in the same and in another process is rejected and names the owner', async () => {
    const inUse = `The data folder ${shared.folder} is in use by another running Classledger (process ${process.pid}).`;
    expect(await startFailure({ folder: `${shared.folder}/../data/` })).toBe(inUse);
    expect((await startChildServer(shared.folder).report).error).toContain(inUse);
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('listens on a socket in a directory that is closed to other users', async () => {
    const { host } = server.connection;
    expect(host).toBe(path.join(shared.folder, 'socket'));
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    expect((await stat(host)).uid).toBe((await stat(path.join(shared.folder, 'postgres'))).uid);
    expect((await stat(path.join(shared.folder, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  it('runs in its own session, out of reach of Ctrl-C', async () => {
    const pid = await serverPid(shared.folder);
    const [, , group, session] = (await readFile(`/proc/${pid}/stat`, 'utf8'))
      .replace(/^.*\) /, '')
      .split(' ');
    expect([Number(group), Number(session)]).toEqual([pid, pid]);
  });

  it.runIf(isRoot)('runs as another user without privileges when the product runs as root', async () => {
    const status = await readFile(`/proc/${await serverPid(shared.folder)}/status`, 'utf8');
    const uid = (await stat(path.join(shared.folder, 'postgres'))).uid;
    expect(uid).not.toBe(0);
    expect(status).toMatch(new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
    expect(status).toMatch(/^CapEff:\t0+$/m);
  });
});

describe('Ownership of a data folder', () => {
  it('goes to exactly one of several simultaneous first starts across processes', async () => {
    const folder = path.join(await temporaryFolder(), 'data');
    const others = [startChildServer(folder), startChildServer(folder), startChildServer(folder)];
    const reports = await Promise.all(others.map((other) => other.report));
    const errors = reports.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(reports.filter(({ connection }) => connection !== undefined)).toHaveLength(1);
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(error).toMatch(/is in use by another running Classledger/);
    expect(serversBelow(folder)).toHaveLength(1);
  });

  it('goes to exactly one of several simultaneous starts in one process', async () => {
    const results = await Promise.allSettled([startServer(shared), startServer(shared), startServer(shared)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(serversBelow(shared.folder)).toHaveLength(1);
  });

  it('lets a process exit without a warning and without stopping its server, which a start then replaces through a symbolic link', async () => {
    const careless = startChildServer(shared.folder, { mode: 'leave' });
    const ended = new Promise((resolve) => careless.process.once('close', resolve));
    expect(await careless.report).toHaveProperty('connection');
    expect(await ended).toBe(0);
    expect(careless.complaints()).toBe('');
    const left = serversBelow(shared.folder);
    expect(left).toHaveLength(1);
    const link = path.join(await temporaryFolder(), 'link');
    await symlink(shared.folder, link);
    await startServer({ folder: link });
    expect(serversBelow(shared.folder)).not.toEqual(left);
  });
});

describe('Access to the database', () => {
  it('is over TCP with a random password, also when only the cluster and the password were restored', async () => {
    for (const name of await readdir(shared.folder)) {
      if (!['postgres', 'postgres.password'].includes(name))
        await rm(path.join(shared.folder, name), { recursive: true });
    }
    const { connection } = await startServer({ ...shared, transport: 'tcp' });
    expect(connection).toMatchObject({ host: '127.0.0.1', user: 'classledger', database: 'classledger' });
    expect(connection.password).toMatch(/^[\w-]{32}$/);
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    for (const password of ['guess', '']) {
      await expect(query({ ...connection, password }, 'SELECT 1')).rejects.toThrow();
    }
    const file = path.join(shared.folder, 'postgres.password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(connection.password);
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
});

describe('Server account when the product runs as root', () => {
  it.runIf(isRoot)('works when project, programs and data are closed to other users', async () => {
    const project = await temporaryFolder(0o700);
    const script = await installCopy(project);
    execFileSync('chmod', ['-R', 'go-rwx', project]);
    const folder = path.join(project, 'data');
    for (let start = 0; start < 2; start += 1) {
      const holder = startChildServer(folder, { script });
      expect(await holder.report).toHaveProperty('connection');
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
    expect(await holder.report).toHaveProperty('connection');
    await holder.kill();
    const asRoot = await startServer({ folder });
    expect((await stat(path.join(folder, 'postgres'))).uid).toBe(user.uid);
    await asRoot.stop();
    const stranger = { uid: 1, gid: 1 };
    expect((await startChildServer(folder, { user: stranger }).report).error).toMatch(
      /EACCES: permission denied/,
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
