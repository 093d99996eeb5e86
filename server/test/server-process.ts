import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from './eventually.ts';

const sources = [process.execPath, resolve(import.meta.dirname, '../src/main.js')];

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Creates a folder for a process; the caller removes it. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'classledger-process-'));
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/**
 * The product as its own process: `classledger <command>` with the given settings, by default with one worker. The
 * process inherits only PATH and HOME.
 */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  hasEnded = false;

  constructor(
    settings: Record<string, string>,
    folder: string,
    command?: string,
    program: readonly string[] = sources,
  ) {
    const words = command?.split(' ') ?? [];
    const [file, ...first] = program as [string, ...string[]];
    this.#child = spawn(file, [...first, ...words], {
      cwd: folder,
      // The test run has built the pages and the client.
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        WORKERS: '1',
        CLASSLEDGER_BUILDS: 'none',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.hasEnded = true;
        resolve({ code, signal });
      });
    });
  }

  static async startServing(settings: Record<string, string>, folder: string): Promise<ServerProcess> {
    const server = new ServerProcess({ PORT: '0', ...settings }, folder);
    await server.ready();
    return server;
  }

  async ready(): Promise<void> {
    await eventually('the server is ready', () => this.hasEnded || this.address !== null);
    if (this.address === null) throw new Error(`The server did not start: ${this.stdout}${this.stderr}`);
  }

  get address(): string | null {
    return /^Classledger is ready at (\S+)$/m.exec(this.stdout)?.[1] ?? null;
  }

  get errorLines(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '');
  }

  /** Log lines without slow requests, which a busy machine causes. */
  get logged(): Record<string, unknown>[] {
    return this.errorLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event !== 'slowRequest');
  }

  get children(): number[] {
    const { pid } = this.#child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  /** Signs in an administrator and returns the status of the answer. */
  async login(username: string, password: string): Promise<number> {
    const body = JSON.stringify({ username, password });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${this.address}/api/auth/login`, { method: 'POST', headers, body })).status;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  stop(): Promise<Ended> {
    this.signal('SIGTERM');
    return this.ended;
  }

  kill(): Promise<Ended> {
    this.signal('SIGKILL');
    return this.ended;
  }
}
