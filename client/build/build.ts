import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { generateClient } from '../generate/generate.ts';

const fileName = 'classledger-client.tgz';
const sources = fileURLToPath(new URL('..', import.meta.url));
const {
  private: _,
  scripts,
  dependencies,
  devDependencies,
  ...manifest
} = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8'));

/** Packs the library and the command with its packages bundled, so the client has no dependencies. */
async function packClient(folder: string): Promise<void> {
  const stage = mkdtempSync(join(tmpdir(), 'classledger-client-'));
  try {
    generateClient();
    compileLibrary(join(stage, 'dist'));
    await bundleCommand(join(stage, 'dist'));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const file of ['LICENSE', 'README.md']) copyFileSync(join(sources, file), join(stage, file));
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
      cwd: stage,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    renameSync(join(folder, packed), join(folder, fileName));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const versionModule = `export const version = ${JSON.stringify(manifest.version)};\n`;

function compileLibrary(dist: string): void {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = typescript.replace('package.json', 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', sources, '--outDir', dist], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  writeFileSync(join(dist, 'version.js'), versionModule);
}

async function bundleCommand(dist: string): Promise<void> {
  const bundle = await rolldown({
    input: { command: join(sources, 'src/command/main.ts') },
    platform: 'node',
    plugins: [
      { name: 'version', load: (file) => (file.endsWith('client/src/version.ts') ? versionModule : null) },
    ],
    // Only the command uses Node.js modules; the library also runs in browsers.
    external: /^node:/,
    onLog: (level, log) => {
      if (level !== 'info') throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    minify: 'dce-only',
    chunkFileNames: 'command-[name].js',
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundle.close();
  chmodSync(join(dist, 'command.js'), 0o755);
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  writeFileSync(join(dist, 'LICENSES-OF-OTHERS.txt'), licencesOf(modules));
}

function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((file) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  return [...folders]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: folder });
  if (!file && !license) throw new Error(`${name} has no licence`);
  const text = file ? readFileSync(join(folder, file), 'utf8') : '';
  return `${name} ${version} (${license})\n\n${text}`;
}

await packClient(resolve(process.argv[2] ?? join(sources, 'dist/by-hand')));
