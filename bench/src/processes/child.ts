import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Another process that answers messages. It ends with this process at the latest. */
export class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<string>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ended = once(process, 'exit').then(([code, signal]) => `exit code ${code ?? signal}`);
  }

  /** Starts a file of this folder's parent, and waits for its first message. */
  static async start<First>(file: string, ...args: string[]): Promise<{ child: Child; first: First }> {
    const child = new Child(fork(resolve(import.meta.dirname, '..', file), args));
    return { child, first: await child.#answer<First>(() => {}) };
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  /** Sends a message and waits for the answer. @throws Error when the process ends instead */
  ask<Answer>(message: object): Promise<Answer> {
    return this.#answer<Answer>(() => this.#process.send(message));
  }

  async stop(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    await this.#ended;
  }

  async #answer<Answer>(ask: () => void): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => this.#process.once('message', resolve as never));
    ask();
    const ended = this.#ended.then((how) => {
      throw new Error(`${this.#process.spawnargs[1]} has ended: ${how}`);
    });
    return Promise.race([answered, ended]);
  }
}
