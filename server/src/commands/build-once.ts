import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { builtFolders } from '../features/web/web-build.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/** A lock that is older was left by a process whose number another one has now. */
const buildMsMax = 10 * 60_000;
const writingMsMax = 10_000;
/** With the build that is served, those of tabs that were opened before. */
const buildsKept = 5;

/** A part of the product that is made of the sources before a server can send it. */
export interface Built {
  /** For messages, such as "web pages". */
  readonly name: string;
  /** Its folder in the repository; `dist` in there holds the builds. */
  readonly workspace: string;
  /** Every complete build holds this file. */
  readonly file: string;
  /** Folders of sources; tests in them change nothing in a build. */
  readonly sources: readonly string[];
  /** Further files that change a build. */
  readonly files: readonly string[];
  /** Workspaces whose packages go into a build. */
  readonly packagesOf: readonly string[];
  /** Fills the folder that it is given. */
  readonly program: string;
  /** The npm script that does all this. */
  readonly script: string;
}

/**
 * Builds a part if the build of the current sources is missing, and says so on standard error. Costs a few
 * milliseconds when there is nothing to do. Several processes may ask at the same moment: one builds, the others
 * wait for it. Each build is a folder of its own, so a running server keeps its files.
 *
 * The API works without it, so a failed build is told and not thrown.
 *
 * @param stop breaks a build off, or the wait for one, with its reason; the next start builds again
 */
export async function ensureBuilt(built: Built, stop = new AbortController().signal): Promise<void> {
  const home = join(repository, built.workspace);
  if (!existsSync(join(home, 'src'))) return;
  const folder = join(home, 'dist', sourceHash(built));
  const lock = join(home, '.build-lock');
  try {
    while (!existsSync(folder)) {
      if (!(await takeLock(lock))) {
        await sleep(200, undefined, { signal: stop });
        continue;
      }
      try {
        if (!existsSync(folder)) await build(built, folder, stop);
      } finally {
        await rm(lock, { force: true });
      }
    }
    await markWanted(built, folder);
  } catch (error) {
    stop.throwIfAborted();
    console.error(`The ${built.name} could not be built: ${reasonOf(error, built)}`);
  }
}

/** Marks the build that is served: the one that was wanted last. */
async function markWanted(built: Built, folder: string): Promise<void> {
  try {
    await utimes(folder, new Date(), new Date());
  } catch (error) {
    // Built by another user, who alone may mark it. Mostly there is nothing to change.
    if (builtFolders(dirname(folder), built.file)[0] === folder) return;
    console.error(`Serving the ${built.name} of another release: ${reasonOf(error, built)}`);
  }
}

function reasonOf(error: unknown, { workspace, script }: Built): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(code)) return message;
  return `this user may not write to ${join(repository, workspace)}; run "npm run ${script}" as the user who installed Classledger`;
}

async function build(built: Built, folder: string, stop: AbortSignal): Promise<void> {
  console.error(`Building the ${built.name}, once ...`);
  const builds = dirname(folder);
  const unfinished = join(dirname(builds), `.build-${process.pid}`);
  try {
    await runProgram(built, unfinished, stop);
    await mkdir(builds, { recursive: true });
    await rename(unfinished, folder).catch((error) => {
      // Someone else was quicker.
      if (!existsSync(folder)) throw error;
    });
    for (const old of builtFolders(builds, built.file).slice(buildsKept))
      await rm(old, { recursive: true, force: true });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** In a process of its own, whose memory is gone afterwards. */
async function runProgram(built: Built, outDir: string, stop: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(repository, built.program), outDir], {
    cwd: join(repository, built.workspace),
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const breakOff = () => child.kill();
  stop.addEventListener('abort', breakOff, { once: true });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  stop.removeEventListener('abort', breakOff);
  if (code !== 0) throw new Error(`the build ended with ${code}\n${printed.slice(-4_000)}`);
}

/** True for the one process that may build. The lock of a process that is gone does not count. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (await isStale(lock)) await rm(lock, { force: true });
  return false;
}

/** Whether no one builds any more under the lock that is there. */
async function isStale(lock: string): Promise<boolean> {
  const [content, status] = await Promise.all([
    readFile(lock, 'utf8').catch(() => ''),
    stat(lock).catch(() => null),
  ]);
  const ageMs = status === null ? 0 : Date.now() - status.mtimeMs;
  // Empty for a moment while it is being written, or for ever after a power failure.
  if (content === '') return ageMs > writingMsMax;
  // The number of a process is given out again, in a container even to this one.
  const holder = Number(content);
  return holder === process.pid || !isAlive(holder) || ageMs > buildMsMax;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Stands for the content of all sources and the versions of the packages that are built in. */
function sourceHash({ sources, files, packagesOf }: Built): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    const names = readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
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
      // Installed further up, or not at all; the build will say so.
    }
  }
  return '';
}
