import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Connection } from '../endpoint.ts';
import { endServersBelow } from './test-servers.ts';

/** Empty when the process ended without a report. */
export interface StartReport {
  readonly connection?: Connection;
  readonly error?: string;
}

export interface ChildServer {
  readonly process: ChildProcess;
  readonly report: Promise<StartReport>;
  complaints(): string;
  kill(): Promise<void>;
}

/** Starts a server in a process of its own. After the test, kills that process and ends the server that it left. */
export function startChildServer(
  folder: string,
  options: { mode?: 'hold' | 'leave'; user?: { uid: number; gid: number }; script?: string } = {},
): ChildServer {
  const script = options.script ?? path.join(import.meta.dirname, 'child-server-program.ts');
  const child = spawn(process.execPath, [script, folder, options.mode ?? 'hold'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.user,
  });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const lines = createInterface(child.stdout);
  const report = new Promise<StartReport>((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    lines.once('close', () => resolve({}));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(async () => {
    await kill();
    if ((await report).connection) await endServersBelow(folder);
  });
  return { process: child, report, complaints: () => complaints, kill };
}
