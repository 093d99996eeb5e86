import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serverAccount } from './needed-packages.ts';

const account = serverAccount();
const run = promisify(execFile);
const folders: string[] = [];
const running = new Set<Daemon>();

/** Creates a folder that the servers' account owns and `stopAll` removes. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'classledger-cluster-'));
  folders.push(folder);
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Writes a file that only the servers' account can read. */
export function writeConfiguration(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (account) chownSync(path, account.uid, account.gid);
}

/** Reads a file of deploy/ and replaces the keys of `values` by their values. @throws Error if a key is missing */
export function readDeployFile(file: string, values: Readonly<Record<string, string>>): string {
  let text = readFileSync(resolve(import.meta.dirname, '../../deploy', file), 'utf8');
  for (const [found, value] of Object.entries(values)) {
    if (!text.includes(found)) throw new Error(`deploy/${file} has no ${found}`);
    text = text.replaceAll(found, value);
  }
  return text;
}

/** Runs a program to its end. @throws Error with its output */
export async function runProgram(path: string, args: readonly string[], cwd: string): Promise<void> {
  await run(path, args, { ...account, cwd, env: environment(cwd) });
}

const environment = (home: string) => ({ PATH: process.env.PATH, HOME: home, LC_ALL: 'C.UTF-8' });

export class Daemon {
  readonly #child: ChildProcess;
  readonly ended: Promise<void>;
  hasEnded = false;
  output = '';

  constructor(path: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
    this.#child = spawn(path, args, {
      ...account,
      cwd,
      env: { ...environment(cwd), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (text: string) => {
      this.output = (this.output + text).slice(-20_000);
    };
    this.#child.stdout?.setEncoding('utf8').on('data', keep);
    this.#child.stderr?.setEncoding('utf8').on('data', keep);
    running.add(this);
    this.ended = new Promise((done) => {
      this.#child.on('exit', () => {
        this.hasEnded = true;
        running.delete(this);
        done();
      });
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Stops the program; kills it after ten seconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return;
    this.signal(signal);
    const late = setTimeout(() => this.signal('SIGKILL'), 10_000);
    await this.ended;
    clearTimeout(late);
  }
}

/** Stops all programs and removes all folders. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((daemon) => daemon.stop('SIGQUIT')));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
