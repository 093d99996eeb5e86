import cluster, { type Worker } from 'node:cluster';
import type { FromWorker, RelayedMessage, ServingDetails, ToWorker } from './siblings.ts';

/** A worker ended before it served. It printed the reason itself; `cause` is set when no process could be created. */
export class WorkerFailedError extends Error {}

const notStarted = (cause: unknown) =>
  new WorkerFailedError(`No worker process can be started: ${(cause as Error).message}`, { cause });

/** @throws WorkerFailedError when the system fails at once; later failures arrive as `error` events */
function fork(): Worker {
  try {
    return cluster.fork();
  } catch (error) {
    throw notStarted(error);
  }
}

export class WorkerProcess {
  readonly #worker = fork();
  readonly #serving = Promise.withResolvers<ServingDetails>();
  readonly #ended = Promise.withResolvers<string>();
  #handlesQuestions = false;
  /** Null before the worker serves. */
  servesSince: number | null = null;
  isEnding = false;
  /** Resolves with the exit code or signal. */
  readonly ended = this.#ended.promise;
  /** @throws WorkerFailedError when the worker ends before it serves */
  readonly serving = this.#serving.promise;

  constructor(onMessage: (message: RelayedMessage) => void) {
    this.serving.catch(() => {});
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'answering') this.#handlesQuestions = true;
      else if (message.kind === 'serving') {
        this.servesSince = performance.now();
        this.#serving.resolve(message);
      } else onMessage(message);
    });
    this.#worker.process.on('exit', (code, signal) => {
      this.#serving.reject(new WorkerFailedError('A worker process ended before it served'));
      this.#ended.resolve(signal ?? `exit code ${code}`);
    });
    this.#worker.on('error', (error) => {
      // A process with an id has started; then only a message failed, and `exit` reports the end.
      if (this.pid !== undefined) return;
      this.#serving.reject(notStarted(error));
      this.#ended.resolve('not started');
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  get isServing(): boolean {
    return this.servesSince !== null && !this.isEnding && !this.#worker.isDead();
  }

  /** True from when the worker has loaded its modules until its channel closes. */
  get canAnswer(): boolean {
    return this.#handlesQuestions && this.#worker.isConnected();
  }

  /** Sends a message; a worker that still loads its modules gets it later. */
  send(message: ToWorker): void {
    if (message.kind === 'retire' || message.kind === 'stop') this.isEnding = true;
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}
