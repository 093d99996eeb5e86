import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../access/address-group.ts';
import { Line, type Place } from '../line.ts';
import { type Load, type Weighed, waitsForReader } from './load.ts';

export interface ConnectionLimits {
  readonly max: number;
  /** Null when all clients come from one address, as behind a proxy. */
  readonly perAddressMax: number | null;
}

interface Connection extends Weighed {
  readonly address: Address;
  /** In the order of their requests. */
  readonly unanswered: Line<ServerResponse>;
  /** Its places in the idle lists of its address and of all connections; null while it has a request. */
  resting: { readonly ofAddress: Place<Connection>; readonly ofAll: Place<Connection> } | null;
}

/** Unanswered requests of one connection. Browsers, libraries and proxies send fewer ahead. */
const unansweredMax = 250;
/** Requests of all connections that wait for an earlier one; each takes some 3 kB. */
const heldMax = 2_000;
/** A client that reads nothing of its answer for this long is disconnected. */
const silenceMs = 15_000;
const weighMs = 250;

interface Address {
  readonly name: string;
  open: number;
  /** Longest idle first. */
  readonly idle: Line<Connection>;
}

/**
 * Limits open connections per address and in all. A new connection over a limit replaces the connection that has been
 * idle for longest, so idle connections keep nobody out. When none is idle, the new one is closed.
 *
 * Serves the requests of a connection one after another: the next one starts when the answer before it is sent. So a
 * client that sends many requests and reads nothing has one answer waiting.
 *
 * A stop lets requests finish that have arrived whole, and closes the other connections.
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
  /** Waiting for an earlier request of their connection. */
  #held = 0;

  get open(): number {
    return this.#open;
  }

  /** Returns how often a connection was closed or refused because of a limit. */
  get limitsMet(): number {
    return this.#limitsMet;
  }

  /** @param tell is called each time that a limit is met, which may be often */
  constructor(limits: ConnectionLimits, load: Load, tell: (what: string) => void) {
    this.#limits = limits;
    this.#load = load;
    this.#tell = (what) => {
      this.#limitsMet++;
      tell(what);
    };
  }

  watch(server: Server, handle: RequestListener): void {
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => {
      // Node reads nothing more from a connection that asked to upgrade: a later request would wait for ever.
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

  /** Returns whether an answer is the last one due on its connection. */
  isLast(response: ServerResponse): boolean {
    const connection = response.socket && this.#bySocket.get(response.socket);
    return !connection || connection.unanswered.last === response;
  }

  /** Keeps idle connections open until `closeUnneeded`. `Sending` tells each to close with its next answer. */
  keepIdle(): void {
    this.#keepsIdle = true;
  }

  closeIdle(): void {
    if (this.#keepsIdle) return;
    for (const { socket } of [...this.#idle]) socket.destroy();
  }

  /** Closes connections that have no complete request to answer. */
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
    // The address is unknown when the client has already left.
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
    // Node read this request together with the one that was too many.
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

  /** Keeps a silent connection while its request is being worked on, and closes it otherwise. */
  #silent(socket: Socket): void {
    const served = this.#bySocket.get(socket)?.served;
    // A rule may take longer, and a body has its own time limit.
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

/** Reads no further while a request waits. Node resumes reading in its own ticks, so this runs two ticks later. */
function pauseOrReadOn({ socket, unanswered }: Connection): void {
  process.nextTick(() => {
    process.nextTick(() => {
      if (unanswered.length > 1) socket.pause();
      else socket.resume();
    });
  });
}
