import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { WorkerProcess } from './worker-process.ts';

/** Further connections are closed. A closed one costs its client a retry, an open one a descriptor here. */
const waitingMax = 1_000;
/** Short, because Node.js closes the sockets of a dead worker within milliseconds. */
const retryMs = 10;

/** Holds new connections while no worker serves. Refuses connections only for the millisecond of a handover. */
export class WaitingConnections {
  readonly #address: ListenOptions;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #retryTimer: NodeJS.Timeout | undefined;

  /** @param port of the workers. Port 0 differs for each worker, so it cannot be kept open */
  constructor(port: ListenOptions) {
    this.#address = port;
  }

  keepPortOpen(): void {
    if (this.#server || this.#address.port === 0) return;
    const server = createServer({ pauseOnConnect: true }, (socket) => this.#hold(socket));
    this.#server = server;
    server.on('error', () => {
      this.#retryTimer = setTimeout(() => server.listen(this.#address), retryMs);
    });
    server.listen(this.#address);
  }

  /** Closes the listening socket; accepted connections keep waiting. */
  closePort(): void {
    clearTimeout(this.#retryTimer);
    this.#server?.close();
    this.#server = null;
  }

  passTo(worker: WorkerProcess): void {
    this.closePort();
    for (const socket of this.#sockets) worker.sendConnection(socket);
    this.#sockets.clear();
  }

  end(): void {
    this.closePort();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #hold(socket: Socket): void {
    if (this.#sockets.size >= waitingMax) return void socket.destroy();
    this.#sockets.add(socket);
    // Ignores a reset by the client, which the next worker detects itself.
    socket.on('error', () => {});
  }
}
