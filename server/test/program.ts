import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Another program with everything that it prints. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  hasEnded = false;

  constructor([file, ...args]: readonly [string, ...string[]], options: SpawnOptions) {
    this.child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.hasEnded = true;
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get output(): string {
    return this.stdout + this.stderr;
  }

  get children(): number[] {
    const { pid } = this;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
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
