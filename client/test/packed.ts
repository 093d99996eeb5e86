import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const call = promisify(execFile);
const sources = fileURLToPath(new URL('..', import.meta.url));

/** The Node.js of the machine, where it has one: the package must run on older ones than ours. */
const [node = process.execPath] = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((place) => !place.includes('node_modules'))
  .map((place) => join(place, 'node'))
  .filter((path) => existsSync(path));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The package as `npm pack` makes it, installed in a folder of its own. */
export class PackedClient {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async install(): Promise<PackedClient> {
    const folder = await mkdtemp(join(tmpdir(), 'classledger-client-'));
    const copy = join(folder, 'node_modules/@classledger/client');
    await mkdir(copy, { recursive: true });
    // In the repository its prepack script has made `dist`; of it and the manifest, what npm would send is what npm says.
    const { stdout } = await call('npm', ['pack', '--json', '--pack-destination', folder], { cwd: sources });
    const [tarball] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m)))) as {
      filename: string;
    }[];
    await call('tar', ['-xzf', join(folder, tarball?.filename ?? ''), '--strip-components=1', '-C', copy]);
    return new PackedClient(folder);
  }

  get command(): string {
    return join(this.folder, 'node_modules/@classledger/client/dist/command.js');
  }

  /** Copies programs beside the package, so that they find it. */
  async add(path: string, name: string): Promise<void> {
    await cp(path, join(this.folder, name), { recursive: true });
  }

  start(args: readonly string[], env: Readonly<Record<string, string>>, program = node): ChildProcess {
    return spawn(program, args, { cwd: this.folder, env: { PATH: process.env.PATH, ...env } });
  }

  /** Runs the command to its end. */
  async run(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
    return ended(this.start([this.command, ...args], env));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** What a process said until its end. */
export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}
