import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { Monotonic } from '../clock.ts';

export interface Weighed {
  readonly socket: Socket;
  served: ServerResponse | null;
  /** When the server began to wait for the client; null while it does not wait. */
  waitingSince: number | null;
  /** Progress at that moment: bytes read minus bytes unsent. */
  moved: number;
}

export interface LoadLimits {
  /** Active requests, including those whose answers are not yet read. */
  readonly requestsMax: number;
  /** Bytes of answers that are not yet read. */
  readonly unreadMax: number;
}

/** Share of V8's heap limit; the rest is room for the time between two measurements. */
const heapShareMax = 0.85;
/** Bytes outside the heap, such as buffers and unsent text. */
const externalMax = 256 * 1_048_576;
/** Under pressure, a client that keeps an answer or a body waiting for longer is disconnected. */
const patienceMs = 2_000;
/** The same with full memory. Long enough that a client can begin to read a new answer. */
const shortPatienceMs = 250;

/** Bytes in `patienceMs` that show that the client makes progress: 8 kB/s. */
const movedMin = 16_384;

/** Returns the bytes that the system has not taken yet. Node counts a whole buffer as written at once. */
const unsentOn = (socket: Socket) =>
  (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;

const refused = new WeakSet<IncomingMessage>();

/** Returns whether the server was full when work on the request began: the answer is then 503. */
export function isRefused(request: IncomingMessage): boolean {
  return refused.has(request);
}

/** Returns whether an answer, or part of it, waits for the client to read. */
export function waitsForReader(response: ServerResponse): boolean {
  return response.writableEnded || response.writableNeedDrain;
}

/**
 * Limits the memory of active requests. A full server answers 503, except to health checks. Near the limit it
 * disconnects slow clients.
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

  /** Measures the load, and under pressure disconnects slow clients; called a few times a second. */
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
      // Progress restarts the client's time.
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

/** Operators must be able to reach these on a full server. */
const isHealth = (url: string | undefined) => url === '/healthz' || url === '/readyz' || url === '/metrics';
