import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { WorkerProcess } from './worker-process.ts';

/** More than these are closed at once. A closed one costs its client a retry, an open one a descriptor here. */
const waitingMax = 1_000;
/** The sockets of the worker that died are closed by Node.js within a few milliseconds. */
const tryAgainMs = 10;

/**
 * Keeps the port open while no worker serves it: accepts connections, reads nothing from them, and hands them to the next
 * worker. The parent cannot listen beside its workers, so a connection in the millisecond between the two is refused.
 */
export class WaitingConnections {
  readonly #port: ListenOptions;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #tryAgain: NodeJS.Timeout | undefined;

  /** @param port where workers listen; port 0 is another one for each worker and cannot be kept */
  constructor(port: ListenOptions) {
    this.#port = port;
  }

  accept(): void {
    if (this.#server || this.#port.port === 0) return;
    const server = createServer({ pauseOnConnect: true }, (socket) => this.#wait(socket));
    this.#server = server;
    server.on('error', () => {
      this.#tryAgain = setTimeout(() => server.listen(this.#port), tryAgainMs);
    });
    server.listen(this.#port);
  }

  /** Leaves the port to a worker. Connections that were accepted go on waiting. */
  leavePort(): void {
    clearTimeout(this.#tryAgain);
    this.#server?.close();
    this.#server = null;
  }

  handTo(worker: WorkerProcess): void {
    this.leavePort();
    for (const socket of this.#sockets) worker.sendConnection(socket);
    this.#sockets.clear();
  }

  end(): void {
    this.leavePort();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #wait(socket: Socket): void {
    if (this.#sockets.size >= waitingMax) return void socket.destroy();
    this.#sockets.add(socket);
    // Told by a client that resets the connection; a worker finds out by itself.
    socket.on('error', () => {});
  }
}
