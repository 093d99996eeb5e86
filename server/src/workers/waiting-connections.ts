import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { WorkerProcess } from './worker-process.ts';

/** More connections than these are closed. A closed one costs its client a retry, an open one a descriptor here. */
const waitingMax = 1_000;
/** Node.js closes the sockets of a dead worker within milliseconds. */
const tryAgainMs = 10;

/**
 * Keeps the port open while no worker serves. It accepts connections without reading, and hands them to the next
 * worker. Parent and workers cannot listen at once: a connection in the millisecond between them is refused.
 */
export class WaitingConnections {
  readonly #port: ListenOptions;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #tryAgain: NodeJS.Timeout | undefined;

  /** @param port of the workers. Port 0 differs for each worker, so it cannot be kept open */
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

  /** Closes the listening socket; accepted connections keep waiting. */
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
    // A client reset the connection; the next worker detects that itself.
    socket.on('error', () => {});
  }
}
