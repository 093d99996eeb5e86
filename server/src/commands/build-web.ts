import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { builtFolders, webBuilds } from '../features/web/web-build.ts';

const web = dirname(webBuilds);
const repository = dirname(web);
const lock = join(web, '.build-lock');
/** A lock that is older was left by a process whose number another one has now. */
const buildMsMax = 10 * 60_000;
const writingMsMax = 10_000;
/** With the pages that are served, those of tabs that were opened before. */
const buildsKept = 5;

/** What the pages are made of; tests and notes change nothing in them. */
const sources = ['web/src', 'web/public', 'web/vite', 'contract/src'];
const files = [
  'web/index.html',
  'web/admin.html',
  'web/student.html',
  'web/vite.config.ts',
  'web/package.json',
];

/**
 * Builds the web pages if those of the current sources are missing, and says so on standard error. Costs a few
 * milliseconds when there is nothing to do. Several processes may ask at the same moment: one builds, the others
 * wait for it. Each build is a folder of its own, so a server that is running keeps the files of its pages.
 *
 * The API works without the pages, so a build that fails is told and not thrown.
 *
 * @param stop breaks a build off, or the wait for one, with its reason; it can be made at the next start
 */
export async function ensureWebBuilt(stop = new AbortController().signal): Promise<void> {
  if (!existsSync(join(web, 'src'))) return;
  const folder = join(webBuilds, sourceHash());
  try {
    while (!existsSync(folder)) {
      if (!(await takeLock())) {
        await sleep(200, undefined, { signal: stop });
        continue;
      }
      try {
        if (!existsSync(folder)) await build(folder, stop);
      } finally {
        await rm(lock, { force: true });
      }
    }
    await markWanted(folder);
  } catch (error) {
    stop.throwIfAborted();
    console.error(`The web pages could not be built: ${reasonOf(error)}`);
  }
}

/** The one that was wanted last is the one that is served. */
async function markWanted(folder: string): Promise<void> {
  try {
    await utimes(folder, new Date(), new Date());
  } catch (error) {
    // Built by another user, who alone may mark it. Mostly there is nothing to change.
    if (builtFolders()[0] === folder) return;
    console.error(`The web pages of another release are served: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(code)) return message;
  return `this user may not write to ${web}; run "npm run web:build" as the user who installed Classledger`;
}

async function build(folder: string, stop: AbortSignal): Promise<void> {
  console.error('Building the web pages, once ...');
  const unfinished = join(web, `.build-${process.pid}`);
  try {
    await runVite(unfinished, stop);
    await mkdir(webBuilds, { recursive: true });
    await rename(unfinished, folder).catch((error) => {
      // Someone else was quicker.
      if (!existsSync(folder)) throw error;
    });
    for (const old of builtFolders().slice(buildsKept)) await rm(old, { recursive: true, force: true });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** In a process of its own, whose memory is gone afterwards. */
async function runVite(outDir: string, stop: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(web, 'vite', 'build-pages.ts'), outDir], {
    cwd: web,
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
async function takeLock(): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (await isStale()) await rm(lock, { force: true });
  return false;
}

/** Whether no one builds any more under the lock that is there. */
async function isStale(): Promise<boolean> {
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
function sourceHash(): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    const names = readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    for (const name of names.sort()) hash.update(name.slice(repository.length)).update(readFileSync(name));
  }
  for (const name of files) hash.update(name).update(readFileSync(join(repository, name)));
  const { dependencies } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) hash.update(name).update(installedVersion(name));
  return hash.digest('hex').slice(0, 20);
}

function installedVersion(name: string): string {
  for (const folder of [web, repository]) {
    try {
      return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
    } catch {
      // Installed further up, or not at all; the build will say so.
    }
  }
  return '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureWebBuilt();
