import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { FromWorker, ServingDetails, ToWorker } from './siblings.ts';

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
  readonly #worker: Worker;
  readonly #serving = Promise.withResolvers<ServingDetails>();
  canAnswer = false;
  /** Null before the worker serves. */
  servesSince: number | null = null;
  isEnding = false;
  hasEnded = false;
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<string>;
  /** @throws WorkerFailedError when the worker ends before it serves */
  readonly serving = this.#serving.promise;

  /** @param onMessage receives messages other than `answering` and `serving` */
  constructor(
    onMessage: (message: Extract<FromWorker, { kind: 'question' | 'answer' | 'listening' }>) => void,
  ) {
    this.serving.catch(() => {});
    this.#worker = fork();
    // The worker cannot answer any more, because the channel closes before the process ends.
    this.#worker.on('disconnect', () => {
      this.canAnswer = false;
    });
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'answering') this.canAnswer = true;
      else if (message.kind === 'serving') {
        this.servesSince = performance.now();
        this.#serving.resolve(message);
      } else onMessage(message);
    });
    this.#returnUnacceptedConnections();
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    this.ended = ended;
    const end = (how: string, failure: WorkerFailedError) => {
      this.hasEnded = true;
      this.canAnswer = false;
      this.#serving.reject(failure);
      resolve(how);
    };
    const { process } = this.#worker;
    process.on('exit', (code, signal) =>
      end(signal ?? `exit code ${code}`, new WorkerFailedError('A worker process ended before it served')),
    );
    this.#worker.on('error', (error) => {
      // A process with an id has started; then only a message failed, and `exit` reports the end.
      if (process.pid === undefined) end('not started', notStarted(error));
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  get isServing(): boolean {
    return this.servesSince !== null && !this.isEnding && !this.hasEnded;
  }

  /** Sends a message; a worker that still loads its modules gets it later. */
  send(message: ToWorker): void {
    if (message.kind === 'retire' || message.kind === 'stop') this.isEnding = true;
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }

  sendConnection(socket: Socket): void {
    const message: ToWorker = { kind: 'connection' };
    if (this.#worker.isConnected()) this.#worker.send(message, socket, () => {});
    else socket.destroy();
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** Makes Node.js pass on a dead worker's connections, by internal messages. If these change, such clients wait. */
  #returnUnacceptedConnections(): void {
    const { process } = this.#worker;
    const unaccepted = new Set<number>();
    const { send } = process;
    process.send = (message: { act?: string; seq: number }, ...more: unknown[]) => {
      if (message.act === 'newconn') unaccepted.add(message.seq);
      return send.call(process, message, ...(more as []));
    };
    process.on('internalMessage', ({ ack }: { ack: number }) => unaccepted.delete(ack));
    process.once('exit', () => {
      // Stops Node.js from passing further connections, because a channel with one in transit is still open.
      this.#worker.disconnect();
      for (const ack of unaccepted) {
        process.emit('internalMessage' as never, { cmd: 'NODE_CLUSTER', ack, accepted: false } as never);
      }
    });
  }
}
