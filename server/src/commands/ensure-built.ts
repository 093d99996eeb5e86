import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { access, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolders } from '../features/web/web-build.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/** Keeps earlier builds for pages that are still open in browsers. */
const buildsKept = 5;

interface BuildTarget {
  readonly name: string;
  readonly workspace: string;
  readonly file: string;
  /** Folders of sources; tests and generated files are ignored. */
  readonly sources: readonly string[];
  readonly files: readonly string[];
  /** Workspaces whose dependencies affect a build. */
  readonly packagesOf: readonly string[];
  readonly program: string;
}

const webPages: BuildTarget = {
  name: 'web pages',
  workspace: 'web',
  file: 'index.html',
  sources: ['web/src', 'web/public', 'web/vite', 'contract/src'],
  files: ['web/index.html', 'web/admin.html', 'web/student.html', 'web/vite.config.ts', 'web/package.json'],
  packagesOf: ['web'],
  program: 'web/vite/build-pages.ts',
};

const clientPackage: BuildTarget = {
  name: 'client package',
  workspace: 'client',
  file: 'classledger-client.tgz',
  sources: [
    'contract/src',
    'server/src/features/documentation',
    'client/generate',
    'client/src',
    'client/build',
    'web/src/spreadsheets',
  ],
  files: [
    'client/package.json',
    'client/tsconfig.json',
    'client/README.md',
    'client/LICENSE',
    'tsconfig.json',
  ],
  packagesOf: ['client', 'web'],
  program: 'client/build/build.ts',
};

/**
 * Builds missing parts. Each build has its own folder, so a running server keeps its files. If two processes build at
 * once, the build that ends first is kept. Only prints a failure, because the API works without the part.
 * @throws the reason of the abort
 */
export async function ensureBuilt(
  stop = new AbortController().signal,
  targets: readonly BuildTarget[] = [webPages, clientPackage],
): Promise<void> {
  for (const target of targets) await buildIfMissing(target, stop);
}

async function buildIfMissing(target: BuildTarget, stop: AbortSignal): Promise<void> {
  const workspaceFolder = join(repository, target.workspace);
  // `npm run dev` needs no build, because it serves the pages from their sources.
  if (!existsSync(join(workspaceFolder, 'src')) || process.env.CLASSLEDGER_BUILDS === 'none') return;
  const folder = join(workspaceFolder, 'dist', sourceHash(target));
  try {
    if (!existsSync(folder)) {
      await access(workspaceFolder, constants.W_OK);
      await build(target, folder, stop);
    }
    await markInUse(target, folder);
  } catch (error) {
    stop.throwIfAborted();
    console.error(`The ${target.name} could not be built: ${reasonOf(error, target)}`);
  }
}

async function markInUse(target: BuildTarget, folder: string): Promise<void> {
  try {
    await utimes(folder, new Date(), new Date());
  } catch (error) {
    // Only the owner can change the folder's time, which matters only when another build is newer.
    if (builtFolders(dirname(folder), target.file)[0] === folder) return;
    console.error(`Serving the ${target.name} of another release: ${reasonOf(error, target)}`);
  }
}

function reasonOf(error: unknown, { workspace }: BuildTarget): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(code)) return message;
  return `this user may not write to ${join(repository, workspace)}; run "npm run ${workspace}:build" as the user who installed Classledger`;
}

async function build(target: BuildTarget, folder: string, stop: AbortSignal): Promise<void> {
  console.error(`Building the ${target.name}, once ...`);
  const builds = dirname(folder);
  const unfinished = join(dirname(builds), `.build-${process.pid}`);
  try {
    await runProgram(target, unfinished, stop);
    await mkdir(builds, { recursive: true });
    await rename(unfinished, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
    for (const old of builtFolders(builds, target.file).slice(buildsKept))
      await rm(old, { recursive: true, force: true });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Runs the build in a separate process, whose memory is freed afterwards. */
async function runProgram(target: BuildTarget, outDir: string, stop: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(repository, target.program), outDir], {
    cwd: join(repository, target.workspace),
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const killBuild = () => child.kill();
  stop.addEventListener('abort', killBuild, { once: true });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  stop.removeEventListener('abort', killBuild);
  if (code !== 0) throw new Error(`the build ended with ${code}\n${printed.slice(-4_000)}`);
}

function sourceHash({ sources, files, packagesOf }: BuildTarget): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    const names = readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((name) => !/[\\/]generated[\\/]/.test(name.slice(repository.length)));
    for (const name of names.sort()) hash.update(name.slice(repository.length)).update(readFileSync(name));
  }
  for (const name of files) hash.update(name).update(readFileSync(join(repository, name)));
  for (const workspace of packagesOf) {
    const home = join(repository, workspace);
    const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) hash.update(name).update(installedVersion(name, home));
  }
  return hash.digest('hex').slice(0, 20);
}

function installedVersion(name: string, home: string): string {
  for (const folder of [home, repository]) {
    try {
      return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
    } catch {
      // Not in this folder. If the package is missing everywhere, the build fails with a message.
    }
  }
  return '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt(undefined, [process.argv[2] === 'client' ? clientPackage : webPages]);
}
