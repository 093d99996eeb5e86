import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from './eventually.ts';
import { Program } from './program.ts';

const sources = [process.execPath, resolve(import.meta.dirname, '../src/main.js')];

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
export class ServerProcess extends Program {
  constructor(
    settings: Record<string, string>,
    folder: string,
    command?: string,
    program: readonly string[] = sources,
  ) {
    const words = [...program, ...(command?.split(' ') ?? [])] as [string, ...string[]];
    // The test run has built the pages and the client.
    const common = { WORKERS: '1', CLASSLEDGER_BUILDS: 'none' };
    const { PATH, HOME } = process.env;
    super(words, { cwd: folder, env: { PATH, HOME, ...common, ...settings } });
  }

  static async startServing(settings: Record<string, string>, folder: string): Promise<ServerProcess> {
    const server = new ServerProcess({ PORT: '0', ...settings }, folder);
    await server.ready();
    return server;
  }

  async ready(): Promise<void> {
    await eventually('the server is ready', () => this.hasEnded || this.address !== null);
    if (this.address === null) throw new Error(`The server did not start: ${this.output}`);
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

  /** Signs in an administrator and returns the status of the answer. */
  async login(username: string, password: string): Promise<number> {
    const body = JSON.stringify({ username, password });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${this.address}/api/auth/login`, { method: 'POST', headers, body })).status;
  }
}

/** Below the ports that systems assign automatically; each process has a range of its own. */
let nextPort = 20_000 + (process.pid % 100) * 100;

/** Returns a free port that stays free for a program that starts on it later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++;
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
