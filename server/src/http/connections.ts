import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../access/address-group.ts';
import { Line, type Place } from '../line.ts';
import { type Load, type Weighed, waitsForReader } from './load.ts';

export interface ConnectionLimits {
  /** In all. */
  readonly max: number;
  /** From one address; null where one address speaks for everyone. */
  readonly perAddressMax: number | null;
}

interface Connection extends Weighed {
  readonly address: Address;
  /** The answers that are still due, in the order of their requests. */
  readonly unanswered: Line<ServerResponse>;
  /** Where it stands among those without a request, of its address and of all; null while it has one. */
  resting: { readonly ofAddress: Place<Connection>; readonly ofAll: Place<Connection> } | null;
}

/** Requests of one connection that are not answered; whoever sends so many ahead is no browser, library or proxy. */
const unansweredMax = 250;
/** Those of all connections that wait for their turn: each takes some 3 kB. */
const heldMax = 2_000;
/** An answer of which nothing is read for so long is given up, in milliseconds. */
const silenceMs = 15_000;
const weighMs = 250;

interface Address {
  readonly name: string;
  open: number;
  /** Its connections without a request, the longest so first. */
  readonly idle: Line<Connection>;
}

/**
 * Bounds the open connections, from one address and in all. One that is too many takes the place of the connection
 * that has been without a request for the longest, so whoever holds connections without asking anything keeps
 * no one out. Only where every connection has a request under way, the new one goes.
 *
 * Requests of one connection take turns: the next one's begins when the answer before it is read. So who sends many
 * and reads nothing has one answer waiting, not all of them.
 *
 * A stop lets those finish that have sent a whole request, and waits neither for the rest of a header or body nor for
 * requests that may never come.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #load: Load;
  readonly #tell: (what: string) => void;
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  readonly #idle = new Line<Connection>();
  #keepsIdle = false;
  #open = 0;
  #limitsMet = 0;
  /** Requests that wait for their turn. */
  #held = 0;

  get open(): number {
    return this.#open;
  }

  /** How often one was closed, or not taken, because there were too many. */
  get limitsMet(): number {
    return this.#limitsMet;
  }

  /** @param tell is told when a limit is met; called often */
  constructor(limits: ConnectionLimits, load: Load, tell: (what: string) => void) {
    this.#limits = limits;
    this.#load = load;
    this.#tell = (what) => {
      this.#limitsMet++;
      tell(what);
    };
  }

  /** @param handle is given each request in its turn */
  watch(server: Server, handle: RequestListener): void {
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => {
      // Node reads nothing more from a connection that asked to upgrade, so what follows would wait in vain.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      this.#began(response, handle);
    });
    server.setTimeout(silenceMs, (socket) => this.#silent(socket));
    let timer: NodeJS.Timeout;
    server.on('listening', () => {
      timer = setInterval(() => this.#load.weigh(this.#bySocket.values()), weighMs).unref();
    });
    server.on('close', () => clearInterval(timer));
  }

  /** Whether nothing that came after it on its connection is still to be answered. */
  isLast(response: ServerResponse): boolean {
    const connection = response.socket && this.#bySocket.get(response.socket);
    return !connection || connection.unanswered.last === response;
  }

  /** From now on those without a request stay open until `closeUnneeded`: each is told to close with its next answer. */
  keepIdle(): void {
    this.#keepsIdle = true;
  }

  /** Closes those without a request that is still to be answered. */
  closeIdle(): void {
    if (this.#keepsIdle) return;
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
    const address = this.#addresses.get(name) ?? { name, open: 0, idle: new Line<Connection>() };
    if (perAddressMax !== null && address.open >= perAddressMax) {
      this.#tell(`more than ${perAddressMax} connections from ${name}`);
      if (!this.#closeFirst(address.idle)) return void socket.destroy();
    }
    if (this.#open >= max) {
      this.#tell(`more than ${max} connections`);
      if (!this.#closeFirst(this.#idle)) return void socket.destroy();
    }
    this.#addresses.set(name, address);
    const connection: Connection = {
      socket,
      address,
      unanswered: new Line(),
      resting: null,
      served: null,
      waitingSince: null,
      moved: 0,
    };
    this.#bySocket.set(socket, connection);
    address.open++;
    this.#open++;
    this.#rests(connection);
    socket.once('close', () => this.#closed(connection));
  }

  #closeFirst(connections: Line<Connection>): boolean {
    const { first } = connections;
    if (!first) return false;
    first.socket.destroy();
    this.#closed(first);
    return true;
  }

  #closed(connection: Connection): void {
    const { address, socket } = connection;
    if (!this.#bySocket.delete(socket)) return;
    this.#works(connection);
    this.#held -= connection.unanswered.length - (connection.served ? 1 : 0);
    this.#open--;
    if (--address.open === 0) this.#addresses.delete(address.name);
  }

  #began(response: ServerResponse, handle: RequestListener): void {
    const { socket } = response.req;
    const connection = this.#bySocket.get(socket);
    // What was read at once with the request that was too many.
    if (!connection || socket.destroyed) return;
    const { unanswered } = connection;
    if (unanswered.length === unansweredMax || (unanswered.length > 0 && this.#held === heldMax)) {
      this.#tell('a connection with too many unanswered requests');
      return void socket.destroy();
    }
    const place = unanswered.join(response);
    if (unanswered.length === 1) {
      this.#works(connection);
      this.#serve(connection, response, handle);
    } else {
      this.#held++;
      if (unanswered.length === 2) pauseOrReadOn(connection);
    }
    response.once('close', () => this.#answered(connection, place, handle));
  }

  #serve(connection: Connection, response: ServerResponse, handle: RequestListener): void {
    connection.served = response;
    this.#load.began(response.req);
    handle(response.req, response);
  }

  #answered(connection: Connection, place: Place<ServerResponse>, handle: RequestListener): void {
    const { unanswered, socket } = connection;
    unanswered.leave(place);
    if (connection.served === place.member) {
      connection.served = null;
      connection.waitingSince = null;
      this.#load.ended();
    }
    if (socket.destroyed || !this.#bySocket.has(socket)) return;
    const next = unanswered.first;
    if (next) {
      this.#held--;
      this.#serve(connection, next, handle);
      pauseOrReadOn(connection);
    } else {
      this.#rests(connection);
    }
  }

  /** Nothing has come or gone on it for a while. */
  #silent(socket: Socket): void {
    const served = this.#bySocket.get(socket)?.served;
    // Work takes its time, and a body has a limit of its own.
    if (served && !waitsForReader(served)) socket.setTimeout(silenceMs);
    else socket.destroy();
  }

  #rests(connection: Connection): void {
    connection.resting ??= {
      ofAddress: connection.address.idle.join(connection),
      ofAll: this.#idle.join(connection),
    };
  }

  #works(connection: Connection): void {
    if (!connection.resting) return;
    connection.address.idle.leave(connection.resting.ofAddress);
    this.#idle.leave(connection.resting.ofAll);
    connection.resting = null;
  }
}

/**
 * Reads no more requests from a connection while one waits for its turn. Node reads on at every end of a request and of
 * an answer, in ticks of its own, so this comes two ticks later.
 */
function pauseOrReadOn({ socket, unanswered }: Connection): void {
  process.nextTick(() => {
    process.nextTick(() => {
      if (unanswered.length > 1) socket.pause();
      else socket.resume();
    });
  });
}
