import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { Monotonic } from '../clock.ts';

/** A connection, as far as it tells what it makes the server keep. */
export interface Weighed {
  readonly socket: Socket;
  /** The answer whose request is worked on. */
  served: ServerResponse | null;
  /** Since when it has been waiting for the other side; null while it is not. */
  waitingSince: number | null;
  /** How far it was with reading and sending at that moment. */
  moved: number;
}

export interface LoadLimits {
  /** Requests that are worked on at once, those whose answers are still to be read included. */
  readonly requestsMax: number;
  /** Bytes of answers that are still to be read. */
  readonly unreadMax: number;
}

/** Of what V8 may use; what is taken at once in between has to fit, too. */
const heapShareMax = 0.85;
/** Bytes outside the heap: buffers, text on its way out. */
const externalMax = 256 * 1_048_576;
/** Under pressure, whoever keeps an answer or a body waiting for longer gives way, in milliseconds. */
const patienceMs = 2_000;
/** The same with the memory full. No one is cut off in the moment in which the answer is made. */
const shortPatienceMs = 250;

/** Bytes in that time which show that the other side is at work: 8 kB/s. */
const movedMin = 16_384;

/** What the system has not yet taken of what was written: Node counts a whole buffer as written at once. */
const unsentOn = (socket: Socket) =>
  (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;

const refused = new WeakSet<IncomingMessage>();

/** Whether the server was full when the request came: its door answers 503 and does nothing else. */
export function isRefused(request: IncomingMessage): boolean {
  return refused.has(request);
}

/** Whether an answer is there, in whole or in part, and the other side does not read it. */
export function waitsForReader(response: ServerResponse): boolean {
  return response.writableEnded || response.writableNeedDrain;
}

/**
 * Bounds what requests under way take. While the server is full new ones are refused, health alone excepted. Before it
 * is, whoever makes it wait goes: bodies that do not come and answers that are not read.
 */
export class Load {
  readonly #limits: LoadLimits;
  readonly #monotonic: Monotonic;
  #requests = 0;
  #unread = 0;
  #memoryIsFull = false;

  constructor(limits: LoadLimits, monotonic: Monotonic) {
    this.#limits = limits;
    this.#monotonic = monotonic;
  }

  began(request: IncomingMessage): void {
    if (this.#isFull() && !isHealth(request.url)) refused.add(request);
    this.#requests++;
  }

  ended(): void {
    this.#requests--;
  }

  /** Looks at what is under way; called a few times a second. */
  weigh(connections: Iterable<Weighed>): void {
    const now = this.#monotonic();
    const waiting: Weighed[] = [];
    this.#unread = 0;
    for (const connection of connections) {
      const { served, socket } = connection;
      if (!served) continue;
      this.#unread += served.writableLength;
      if (served.req.complete && !waitsForReader(served)) {
        connection.waitingSince = null;
        continue;
      }
      // Whoever goes on reading or sending does not make the server wait.
      const moved = socket.bytesRead - unsentOn(socket);
      const moves = moved < connection.moved || moved - connection.moved >= movedMin;
      if (connection.waitingSince === null || moves) {
        connection.waitingSince = now;
        connection.moved = moved;
      }
      waiting.push(connection);
    }
    const heap = getHeapStatistics();
    this.#memoryIsFull =
      heap.used_heap_size > heapShareMax * heap.heap_size_limit || heap.external_memory > externalMax;
    if (!this.#isPressed()) return;
    const patience = this.#memoryIsFull ? shortPatienceMs : patienceMs;
    for (const { waitingSince, socket } of waiting) {
      if (now - (waitingSince as number) >= patience) socket.destroy();
    }
  }

  #isPressed(): boolean {
    const { requestsMax, unreadMax } = this.#limits;
    return this.#memoryIsFull || this.#requests > requestsMax / 2 || this.#unread > unreadMax / 2;
  }

  #isFull(): boolean {
    const { requestsMax, unreadMax } = this.#limits;
    return this.#memoryIsFull || this.#requests >= requestsMax || this.#unread >= unreadMax;
  }
}

/** What tells operators how the server is. */
const isHealth = (url: string | undefined) => url === '/healthz' || url === '/readyz' || url === '/metrics';
