import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.js', import.meta.url));

/** The product as an operator runs it: its own process with an embedded database. */
export interface RunningProduct {
  readonly address: string;
  output(): string;
  /** Stops the product with SIGTERM and removes the folder. @throws Error unless the product exits with 0 */
  stop(): Promise<void>;
}

/** Starts a command of the product and waits until it serves and has printed `until`. */
export async function runProduct(command: 'serve' | 'demo', until: RegExp): Promise<RunningProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'classledger-product-'));
  const child = spawn(process.execPath, [main, command], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      INIT_CWD: folder,
      PORT: '0',
      WORKERS: '1',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const address = /^Classledger is ready at (\S+)$/m.exec(printed)?.[1];
      if (address !== undefined && until.test(printed)) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`The product ended with ${code}: ${printed}`)));
  });
  return { address: await ready, output: () => printed, stop: () => stop(child, folder) };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`The product ended with ${code}`);
}
