import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { FromWorker, Serving, ToWorker } from './messages.ts';

/** A worker did not come up. What it printed says why, or the cause where the system made no process. */
export class WorkerFailed extends Error {}

const notStarted = (cause: unknown) =>
  new WorkerFailed(`No worker process can be started: ${(cause as Error).message}`, { cause });

/** @throws WorkerFailed where the system says at once that it makes no process; later it tells the others as an `error` */
function fork(): Worker {
  try {
    return cluster.fork();
  } catch (error) {
    throw notStarted(error);
  }
}

/** A worker as its parent sees it. */
export class WorkerProcess {
  readonly #worker: Worker;
  readonly #serving = Promise.withResolvers<Serving>();
  /** Whether it takes what siblings ask. */
  hears = false;
  /** Since when it serves; null while it does not. */
  servesSince: number | null = null;
  /** Whether it was told to end. */
  isEnding = false;
  hasEnded = false;
  /** Resolves with the way in which it ended. */
  readonly ended: Promise<string>;
  /** @throws WorkerFailed when it ends before */
  readonly serving = this.#serving.promise;

  /** @param hear is told what it says beside whether it serves */
  constructor(hear: (message: Extract<FromWorker, { kind: 'asks' | 'answers' | 'listens' }>) => void) {
    this.serving.catch(() => {});
    this.#worker = fork();
    // Its channel closes before it has ended.
    this.#worker.on('disconnect', () => {
      this.hears = false;
    });
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'hears') this.hears = true;
      else if (message.kind === 'serves') {
        this.servesSince = performance.now();
        this.#serving.resolve(message);
      } else hear(message);
    });
    this.#handBackWhatItLeaves();
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    this.ended = ended;
    const end = (how: string, failure: WorkerFailed) => {
      this.hasEnded = true;
      this.hears = false;
      this.#serving.reject(failure);
      resolve(how);
    };
    const { process } = this.#worker;
    process.on('exit', (code, signal) =>
      end(signal ?? `exit code ${code}`, new WorkerFailed('A worker process ended before it served')),
    );
    this.#worker.on('error', (error) => {
      // Otherwise of a message that it did not take: it is gone, which is told above.
      if (process.pid === undefined) end('not started', notStarted(error));
    });
  }

  get id(): number {
    return this.#worker.id;
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  get serves(): boolean {
    return this.servesSince !== null && !this.isEnding && !this.hasEnded;
  }

  /** What is sent before it has loaded its modules waits for it. */
  send(message: ToWorker): void {
    if (message.kind === 'retire' || message.kind === 'stop') this.isEnding = true;
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }

  /** Passes a connection on from which nothing was read. */
  sendConnection(socket: Socket): void {
    const message: ToWorker = { kind: 'connection' };
    if (this.#worker.isConnected()) this.#worker.send(message, socket, () => {});
    else socket.destroy();
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /**
   * Node.js forgets a connection that a worker was given and did not take before it died, and its client would wait for
   * ever. So it is told that the worker has refused it, which gives it to another one. These are messages of Node's own: if
   * they change, such a client waits.
   */
  #handBackWhatItLeaves(): void {
    const { process } = this.#worker;
    const given = new Set<number>();
    const { send } = process;
    process.send = (message: { act?: string; seq: number }, ...more: unknown[]) => {
      if (message.act === 'newconn') given.add(message.seq);
      return send.call(process, message, ...(more as []));
    };
    process.on('internalMessage', ({ ack }: { ack: number }) => given.delete(ack));
    process.once('exit', () => {
      // Otherwise it would be given the next one: a channel with a connection in it is not closed yet.
      this.#worker.disconnect();
      for (const ack of given) {
        process.emit('internalMessage' as never, { cmd: 'NODE_CLUSTER', ack, accepted: false } as never);
      }
    });
  }
}
