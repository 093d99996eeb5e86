import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Measured, Message, Outcome, Task } from './run-tests.ts';
import { repository } from './targets.ts';

/** Extra time for PostgreSQL and workers to start. */
const graceMs = 120_000;

/** Runs tasks in a process with Vitest, and replaces the process if it hangs. */
export class Runner {
  readonly #mode: 'measure' | 'mutants';
  readonly #onMeasured: (measured: Measured) => void;
  #child: ChildProcess | undefined;
  #onMessage: (message: Message) => void = () => {};
  #onExit: () => void = () => {};
  files: readonly string[] = [];

  constructor(mode: 'measure' | 'mutants', onMeasured: (measured: Measured) => void = () => {}) {
    this.#mode = mode;
    this.#onMeasured = onMeasured;
  }

  async start(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'run-tests.ts'), [this.#mode], {
      cwd: repository,
      // Ignores standard output, because servers under test log to it.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    child.on('message', (message: Message) => this.#onMessage(message));
    child.on('exit', () => this.#onExit());
    await new Promise<void>((resolve, reject) => {
      this.#onExit = () => reject(new Error('The process that runs the tests did not start'));
      this.#onMessage = (message) => {
        if (message.kind === 'ready') this.files = message.files;
        resolve();
      };
    });
  }

  async run(task: Task): Promise<Outcome> {
    if (!this.#child) await this.start();
    const limitMs = task.files.reduce((sum, file) => sum + file.limitMs, graceMs);
    const outcome = await new Promise<Outcome | null>((resolve) => {
      const timer = this.#mode === 'mutants' ? setTimeout(() => resolve(null), limitMs) : undefined;
      this.#onExit = () => resolve(null);
      this.#onMessage = (message) => {
        if (message.kind === 'measured') return this.#onMeasured(message);
        if (message.kind === 'ready') return;
        clearTimeout(timer);
        resolve(message);
      };
      this.#child?.send(task);
    });
    if (outcome) return outcome;
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    return { kind: 'timed out', file: task.files[0]?.file ?? '' };
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = new Promise<void>((resolve) => {
      this.#onExit = resolve;
    });
    child.disconnect();
    await ended;
  }
}
