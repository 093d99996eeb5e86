import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../access/address-group.ts';
import { LinkedList, type ListNode } from '../concurrency/linked-list.ts';
import { type Load, type MeasuredConnection, waitsForReader } from './load.ts';

export interface ConnectionLimits {
  readonly max: number;
  /** Null when all clients come from one address, as behind a proxy. */
  readonly perAddressMax: number | null;
}

interface Connection extends MeasuredConnection {
  readonly address: Address;
  /** Answers that are not finished, in the order of their requests. */
  readonly unanswered: LinkedList<ServerResponse>;
  /** Null while the connection has a request. */
  idleNodes: { readonly ofAddress: ListNode<Connection>; readonly ofAll: ListNode<Connection> } | null;
}

/** Limit of unanswered requests per connection. Browsers, libraries and proxies send fewer. */
const unansweredMax = 250;
/** Limit of requests that wait for an earlier one of their connection. Each takes about 3 kB. */
const queuedRequestsMax = 2_000;
/** A client that reads nothing of its answer for this long is disconnected. */
const silentMaxMs = 15_000;
const measureEveryMs = 250;

interface Address {
  readonly name: string;
  open: number;
  /** Longest idle first. */
  readonly idle: LinkedList<Connection>;
}

/**
 * Limits open connections per address and in all. A new connection over a limit replaces the one that is idle for
 * longest, or is closed when none is idle. Serves the requests of a connection one after another, so a client that
 * reads nothing has only one answer waiting. A stop lets complete requests finish.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #load: Load;
  readonly #report: (what: string) => void;
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  readonly #idle = new LinkedList<Connection>();
  #keepsIdle = false;
  #open = 0;
  #limitHits = 0;
  /** Requests that wait for an earlier one of their connection. */
  #queuedRequests = 0;

  get open(): number {
    return this.#open;
  }

  get limitHits(): number {
    return this.#limitHits;
  }

  constructor(limits: ConnectionLimits, load: Load, report: (what: string) => void) {
    this.#limits = limits;
    this.#load = load;
    this.#report = (what) => {
      this.#limitHits++;
      report(what);
    };
  }

  attach(server: Server, handle: RequestListener): void {
    server.on('connection', (socket) => this.#handleConnection(socket));
    server.on('request', (request, response) => {
      // Closes after the answer, because Node reads nothing more from a connection that asked to upgrade.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      this.#handleRequest(response, handle);
    });
    server.setTimeout(silentMaxMs, (socket) => this.#handleSilence(socket));
    let timer: NodeJS.Timeout;
    server.on('listening', () => {
      timer = setInterval(() => this.#load.measure(this.#bySocket.values()), measureEveryMs).unref();
    });
    server.on('close', () => clearInterval(timer));
  }

  isLastAnswer(response: ServerResponse): boolean {
    const connection = response.socket && this.#bySocket.get(response.socket);
    return !connection || connection.unanswered.last === response;
  }

  /** Keeps idle connections open until `closeWithoutRequest`. `AnswerSender` closes each with its next answer. */
  keepIdle(): void {
    this.#keepsIdle = true;
  }

  closeIdle(): void {
    if (this.#keepsIdle) return;
    for (const { socket } of [...this.#idle]) socket.destroy();
  }

  /** Closes connections that have no complete request to answer. */
  closeWithoutRequest(): void {
    for (const [socket, { unanswered }] of this.#bySocket) {
      if (![...unanswered].some(({ req }) => req.complete)) socket.destroy();
    }
  }

  closeAll(): void {
    for (const socket of this.#bySocket.keys()) socket.destroy();
  }

  #handleConnection(socket: Socket): void {
    const { max, perAddressMax } = this.#limits;
    // The address is unknown when the client has already disconnected.
    const name = perAddressMax === null ? '' : addressGroup(socket.remoteAddress ?? '');
    const address = this.#addresses.get(name) ?? { name, open: 0, idle: new LinkedList<Connection>() };
    if (perAddressMax !== null && address.open >= perAddressMax) {
      this.#report(`more than ${perAddressMax} connections from ${name}`);
      if (!this.#closeLongestIdle(address.idle)) return void socket.destroy();
    }
    if (this.#open >= max) {
      this.#report(`more than ${max} connections`);
      if (!this.#closeLongestIdle(this.#idle)) return void socket.destroy();
    }
    this.#addresses.set(name, address);
    const connection: Connection = {
      socket,
      address,
      unanswered: new LinkedList(),
      idleNodes: null,
      served: null,
      waitingSince: null,
      progressBytes: 0,
    };
    this.#bySocket.set(socket, connection);
    address.open++;
    this.#open++;
    this.#markIdle(connection);
    socket.once('close', () => this.#removeConnection(connection));
  }

  #closeLongestIdle(connections: LinkedList<Connection>): boolean {
    const { first } = connections;
    if (!first) return false;
    first.socket.destroy();
    this.#removeConnection(first);
    return true;
  }

  #removeConnection(connection: Connection): void {
    const { address, socket } = connection;
    if (!this.#bySocket.delete(socket)) return;
    this.#markBusy(connection);
    this.#queuedRequests -= connection.unanswered.length - (connection.served ? 1 : 0);
    this.#open--;
    if (--address.open === 0) this.#addresses.delete(address.name);
  }

  #handleRequest(response: ServerResponse, handle: RequestListener): void {
    const { socket } = response.req;
    const connection = this.#bySocket.get(socket);
    // The connection was closed for an earlier request, which Node read together with this one.
    if (!connection || socket.destroyed) return;
    const { unanswered } = connection;
    if (
      unanswered.length === unansweredMax ||
      (unanswered.length > 0 && this.#queuedRequests === queuedRequestsMax)
    ) {
      this.#report('a connection with too many unanswered requests');
      return void socket.destroy();
    }
    const node = unanswered.append(response);
    if (unanswered.length === 1) {
      this.#markBusy(connection);
      this.#serve(connection, response, handle);
    } else {
      this.#queuedRequests++;
      if (unanswered.length === 2) pauseOrResume(connection);
    }
    response.once('close', () => this.#serveNext(connection, node, handle));
  }

  #serve(connection: Connection, response: ServerResponse, handle: RequestListener): void {
    connection.served = response;
    this.#load.startRequest(response.req);
    handle(response.req, response);
  }

  #serveNext(connection: Connection, node: ListNode<ServerResponse>, handle: RequestListener): void {
    const { unanswered, socket } = connection;
    unanswered.remove(node);
    if (connection.served === node.value) {
      connection.served = null;
      connection.waitingSince = null;
      this.#load.endRequest();
    }
    if (socket.destroyed || !this.#bySocket.has(socket)) return;
    const next = unanswered.first;
    if (next) {
      this.#queuedRequests--;
      this.#serve(connection, next, handle);
      pauseOrResume(connection);
    } else {
      this.#markIdle(connection);
    }
  }

  #handleSilence(socket: Socket): void {
    const served = this.#bySocket.get(socket)?.served;
    // Waits on, because an operation may take longer and a body has its own time limit.
    if (served && !waitsForReader(served)) socket.setTimeout(silentMaxMs);
    else socket.destroy();
  }

  #markIdle(connection: Connection): void {
    connection.idleNodes ??= {
      ofAddress: connection.address.idle.append(connection),
      ofAll: this.#idle.append(connection),
    };
  }

  #markBusy(connection: Connection): void {
    if (!connection.idleNodes) return;
    connection.address.idle.remove(connection.idleNodes.ofAddress);
    this.#idle.remove(connection.idleNodes.ofAll);
    connection.idleNodes = null;
  }
}

/** Stops reading while a request waits. Runs two ticks later, because Node itself resumes reading in its own ticks. */
function pauseOrResume({ socket, unanswered }: Connection): void {
  process.nextTick(() => {
    process.nextTick(() => {
      if (unanswered.length > 1) socket.pause();
      else socket.resume();
    });
  });
}
