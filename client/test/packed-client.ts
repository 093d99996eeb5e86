import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Prefers the machine's own Node.js, because the package must run on older versions than ours. */
export const [node = process.execPath] = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((place) => !place.includes('node_modules'))
  .map((place) => join(place, 'node'))
  .filter((path) => existsSync(path));

export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** npm 12 requires this flag to install from a URL; older versions ignore it. */
export const allowRemoteFlag = '--allow-remote=root';

export class PackedClient {
  readonly folder: string;
  readonly address: string;

  private constructor(folder: string, address: string) {
    this.folder = folder;
    this.address = address;
  }

  /** Unpacks the package that an installation offers. The guide's own command installs it in `documents.broad.test.ts`. */
  static async unpack(url: string): Promise<PackedClient> {
    const packed = new PackedClient(
      await mkdtemp(join(tmpdir(), 'classledger-client-')),
      `${url}/docs/classledger-client.tgz`,
    );
    await writeFile(join(packed.folder, 'package.json'), '{ "type": "module" }');
    const target = join(packed.folder, 'node_modules/@classledger/client');
    await mkdir(target, { recursive: true });
    const tarball = Buffer.from(await (await fetch(packed.address)).arrayBuffer());
    execFileSync('tar', ['-xz', '--strip-components=1', '-C', target], { input: tarball });
    return packed;
  }

  get command(): string {
    return join(this.folder, 'node_modules/@classledger/client/dist/command.js');
  }

  async add(path: string, name: string): Promise<void> {
    await cp(path, join(this.folder, name), { recursive: true });
  }

  start(args: readonly string[], env: Readonly<Record<string, string>>, program = node): ChildProcess {
    // npm and npx cache by URL, and ports are reused, so each folder has its own cache.
    const own = { PATH: process.env.PATH, npm_config_cache: join(this.folder, '.npm') };
    return spawn(program, args, { cwd: this.folder, env: { ...own, ...env } });
  }

  async run(env: Readonly<Record<string, string>>, ...args: string[]): Promise<ProcessResult> {
    return waitForExit(this.start([this.command, ...args], env));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

export function waitForExit(child: ChildProcess): Promise<ProcessResult> {
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
