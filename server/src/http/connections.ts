import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../access/address-group.ts';

export interface ConnectionLimits {
  /** In all. */
  readonly max: number;
  /** From one address; null where one address speaks for everybody. */
  readonly perAddressMax: number | null;
}

interface Connection {
  readonly socket: Socket;
  readonly address: Address;
  /** The answers that are still due, in the order of their requests. */
  readonly unanswered: Set<ServerResponse>;
}

interface Address {
  readonly name: string;
  open: number;
  /** Its connections without a request, the longest so first. */
  readonly idle: Set<Connection>;
}

/**
 * Bounds the open connections, from one address and in all. One that is too many takes the place of the connection
 * that has been without a request for the longest, so whoever holds connections without asking anything keeps
 * nobody out. Only where every connection has a request under way, the new one goes.
 *
 * A stop lets those finish that have sent a whole request, and waits neither for the rest of a header or body nor for
 * requests that may never come.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #tell: (what: string) => void;
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  readonly #idle = new Set<Connection>();
  #open = 0;

  get open(): number {
    return this.#open;
  }

  /** @param tell is told when a limit is met; called often */
  constructor(limits: ConnectionLimits, tell: (what: string) => void) {
    this.#limits = limits;
    this.#tell = tell;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#began(request, response));
  }

  /** Whether nothing that came after it on its connection is still to be answered. */
  isLast(response: ServerResponse): boolean {
    const connection = response.socket && this.#bySocket.get(response.socket);
    return !connection || [...connection.unanswered].at(-1) === response;
  }

  /** Closes those without a request that is still to be answered. */
  closeIdle(): void {
    for (const { socket } of [...this.#idle]) socket.destroy();
  }

  /** Closes those without a whole request that is still to be answered. */
  closeUnneeded(): void {
    for (const [socket, { unanswered }] of this.#bySocket) {
      if (![...unanswered].some(({ req }) => req.complete)) socket.destroy();
    }
  }

  closeAll(): void {
    for (const socket of this.#bySocket.keys()) socket.destroy();
  }

  #opened(socket: Socket): void {
    const { max, perAddressMax } = this.#limits;
    // Unknown when it is gone already.
    const name = perAddressMax === null ? '' : addressGroup(socket.remoteAddress ?? '');
    const address = this.#addresses.get(name) ?? { name, open: 0, idle: new Set<Connection>() };
    if (perAddressMax !== null && address.open >= perAddressMax) {
      this.#tell(`more than ${perAddressMax} connections from ${name}`);
      if (!this.#closeFirst(address.idle)) return void socket.destroy();
    }
    if (this.#open >= max) {
      this.#tell(`more than ${max} connections`);
      if (!this.#closeFirst(this.#idle)) return void socket.destroy();
    }
    this.#addresses.set(name, address);
    const connection: Connection = { socket, address, unanswered: new Set() };
    this.#bySocket.set(socket, connection);
    address.open++;
    this.#open++;
    this.#rests(connection);
    socket.once('close', () => this.#closed(connection));
  }

  #closeFirst(connections: Set<Connection>): boolean {
    const [first] = connections;
    if (!first) return false;
    first.socket.destroy();
    this.#closed(first);
    return true;
  }

  #closed(connection: Connection): void {
    const { address, socket } = connection;
    if (!this.#bySocket.delete(socket)) return;
    this.#works(connection);
    this.#open--;
    if (--address.open === 0) this.#addresses.delete(address.name);
  }

  #began({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#bySocket.get(socket);
    if (!connection) return;
    const { unanswered } = connection;
    if (unanswered.size === 0) this.#works(connection);
    unanswered.add(response);
    response.once('close', () => {
      unanswered.delete(response);
      if (unanswered.size === 0 && this.#bySocket.has(socket)) this.#rests(connection);
    });
  }

  #rests(connection: Connection): void {
    connection.address.idle.add(connection);
    this.#idle.add(connection);
  }

  #works(connection: Connection): void {
    connection.address.idle.delete(connection);
    this.#idle.delete(connection);
  }
}
