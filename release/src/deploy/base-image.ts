import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const name = 'localhost/classledger-base:test';
const programs = ['sh', 'cat', 'chmod', 'env', 'ln', 'ls', 'mkdir', 'rm', 'touch'];
/** Libraries that programs load by name, so `ldd` does not list them. */
const libraries = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2', 'librt.so.1', 'libutil.so.1'];

const folders = [
  ...['bin', 'usr/bin', 'usr/local/bin', 'usr/local/lib/node_modules', 'usr/local/etc', 'etc'],
  ...['dev/shm', 'proc', 'root', 'tmp', 'var/tmp'],
];

export async function buildBaseImage(buildah: (...words: string[]) => Promise<string>): Promise<string> {
  const container = await buildah('from', 'scratch');
  const root = await buildah('mount', container);
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const device of ['null', 'urandom']) writeFileSync(join(root, 'dev', device), '');
  for (const program of programs) {
    const path = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
    copyWithLibraries(root, path, `usr/bin/${program}`);
  }
  symlinkSync('../usr/bin/sh', join(root, 'bin/sh'));
  copyWithLibraries(root, process.execPath, 'usr/local/bin/node');
  const loaded = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  const folder = dirname(/\S+libc\.so\.6/.exec(loaded.replace(/.*=> /g, ''))?.[0] ?? '/lib/libc.so.6');
  for (const library of libraries) copyWithLibraries(root, join(folder, library), join(folder, library));
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Run this by npm');
  cpSync(dirname(dirname(realpathSync(npm))), join(root, 'usr/local/lib/node_modules/npm'), {
    recursive: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  const settings = ['prefer-offline=true', 'cache=/npm-cache', 'fetch-retries=0'];
  writeFileSync(join(root, 'usr/local/etc/npmrc'), settings.join('\n'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  // Adds the certificate authority that some networks need.
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities) {
    copyFileSync(authorities, join(root, 'etc/authorities.pem'));
    await buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/authorities.pem', container);
  }
  await buildah('commit', '--quiet', container, name);
  return name;
}

function copyWithLibraries(root: string, from: string, to: string): void {
  if (!existsSync(from)) return;
  copy(root, from, to);
  const linked = execFileSync('ldd', [realpathSync(from)], { encoding: 'utf8' });
  for (const [library] of linked.matchAll(/\/\S+\.so\S*/g)) copy(root, library, library);
}

function copy(root: string, from: string, to: string): void {
  const target = join(root, to);
  if (existsSync(target) && readdirSync(dirname(target)).length > 0) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(realpathSync(from), target);
}
