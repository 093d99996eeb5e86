import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Ended, Program } from '../../server/test/program.ts';
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

/** A program that `stopAll` stops. */
export class Daemon extends Program {
  constructor(path: string, args: readonly string[], cwd: string) {
    super([path, ...args], { ...account, cwd, env: environment(cwd) });
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  /** Stops the program; kills it after ten seconds. */
  override async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.signal(signal);
    const late = setTimeout(() => this.signal('SIGKILL'), 10_000);
    const ended = await this.ended;
    clearTimeout(late);
    return ended;
  }
}

/** Stops all programs and removes all folders. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((daemon) => daemon.stop('SIGQUIT')));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
