import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../../server/test/eventually.ts';
import { Program } from '../../../server/test/program.ts';
import { repository } from '../repository.ts';
import { buildBaseImage } from './base-image.ts';

const call = promisify(execFile);

/** Below the ports that systems assign automatically. */
const port = '18217';
const image = 'localhost/classledger:test';

interface ImageConfig {
  readonly User: string;
  readonly Env: string[];
  readonly Entrypoint: string[];
  readonly Cmd: string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: string[] };
}

/** Builds the image from local files and runs it like a container engine: as its user, read-only, in namespaces. */
export async function testContainer(tarball: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'classledger-container-'));
  const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver'];
  const run = async (driver: string, words: readonly string[]) =>
    (await call('buildah', [...storage, driver, ...words])).stdout.trim();
  const driver = await run('overlay', ['images']).then(
    () => 'overlay',
    () => 'vfs',
  );
  const buildah = (...words: string[]) => run(driver, words);
  try {
    const base = await buildBaseImage(buildah);
    const context = join(folder, 'context');
    mkdirSync(context);
    copyFileSync(tarball, join(context, basename(tarball)));
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
    await buildah(
      ...['build', '--isolation', 'chroot', '--format', 'docker', '--volume', `${cache}:/npm-cache`],
      ...['--build-arg', `BASE=${base}`, '--build-arg', `TARBALL=${basename(tarball)}`],
      ...['--file', join(repository, 'deploy/container/Containerfile'), '--tag', image, context],
    );
    const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', image));
    const config: ImageConfig = Docker.config;
    assert.deepEqual(config.Cmd, ['serve']);
    assert.equal(config.StopSignal, 'SIGTERM');
    const [kind, ...check] = config.Healthcheck.Test as [string, ...string[]];
    assert.equal(kind, 'CMD');
    await runReadOnly(await buildah('mount', await buildah('from', image)), config, check);
  } finally {
    await buildah('umount', '--all');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runReadOnly(root: string, config: ImageConfig, check: readonly string[]): Promise<void> {
  const script = `
    mount --make-rprivate /
    mount --bind "$ROOT" "$ROOT" && mount -o remount,ro,bind "$ROOT"
    for place in tmp data dev/shm; do mount -t tmpfs -o mode=1777 tmpfs "$ROOT/$place"; done
    mount -t proc proc "$ROOT/proc"
    for device in null urandom; do mount --bind "/dev/$device" "$ROOT/dev/$device"; done
    exec chroot --userspec="$USERSPEC" --groups= "$ROOT" /usr/bin/env -i "$@"`;
  const env = [...config.Env, `PORT=${port}`, 'ADMIN_PASSWORD=correct horse battery', 'DRAIN_SECONDS=1'];
  const words = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script, 'sh'];
  const inside = ['-C', config.WorkingDir, ...env, ...config.Entrypoint, ...config.Cmd];
  const server = new Program(['unshare', ...words, ...inside], {
    env: { ...process.env, ROOT: root, USERSPEC: config.User },
  });
  try {
    await eventually(
      'the container is ready',
      () => server.stdout.includes('is ready at') || server.hasEnded,
    );
    assert.match(server.stdout, /is ready at/, server.output);
    // Waits, because the server reports its readiness up to two seconds later.
    await eventually(
      'it is ready',
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200,
    );
    assert.equal((await fetch(`http://127.0.0.1:${port}/admin`)).status, 200);
    // The pid, outside of the namespace, of the first process in the namespace.
    const [inner] = server.children as [number];
    const [uid] = config.User.split(':');
    assert.match(readFileSync(`/proc/${inner}/status`, 'utf8'), new RegExp(`^Uid:\\t${uid}\\t.*\\n`, 'm'));
    assert.match(readFileSync(`/proc/${inner}/status`, 'utf8'), /^CapEff:\t0+$/m);
    const enter = ['--target', String(inner), '--mount', '--pid', '--root', '--setuid', uid as string];
    const within = (...command: string[]) =>
      execFileSync('nsenter', [...enter, '/usr/bin/env', '-i', ...env, ...command], { stdio: 'pipe' });
    within(...check);
    for (const place of ['/file', '/opt/classledger/lib/file', '/etc/file']) {
      assert.throws(() => within('touch', place), /Read-only file system/);
    }
    within('touch', '/data/file', '/tmp/file');
    process.kill(inner, 'SIGTERM');
    assert.equal((await server.ended).code, 0, server.output);
  } finally {
    await server.kill();
  }
}
