import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { MonotonicClock } from '../time/clock.ts';

export interface MeasuredConnection {
  readonly socket: Socket;
  served: ServerResponse | null;
  /** When the server began to wait for the client; null while it does not wait. */
  waitingSince: number | null;
  progressBytes: number;
}

export interface LoadLimits {
  /** Active requests, including those whose answers are not yet read. */
  readonly requestsMax: number;
  readonly unreadMax: number;
}

/** Share of V8's heap limit; the rest is room for the time between two measurements. */
const heapShareMax = 0.85;
/** Bytes outside the heap, such as buffers and unsent text. */
const externalMax = 256 * 1_048_576;
/** Under pressure, a client that keeps an answer or a body waiting for longer is disconnected. */
const slowClientMs = 2_000;
/** The same limit when memory is full. Long enough that a client can begin to read a new answer. */
const slowClientWhenFullMs = 250;

/** Bytes that count as progress of a client: 8 kB/s within `slowClientMs`. */
const progressMinBytes = 16_384;

/** Returns the bytes that the operating system has not taken yet. Node counts a whole buffer as written at once. */
const unsentBytesOn = (socket: Socket) =>
  (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;

const refusedRequests = new WeakSet<IncomingMessage>();

/** Returns whether the server was full when work on the request began, so that the answer is 503. */
export function isRefused(request: IncomingMessage): boolean {
  return refusedRequests.has(request);
}

/** Returns whether an answer, or part of it, waits for the client to read. */
export function waitsForReader(response: ServerResponse): boolean {
  return response.writableEnded || response.writableNeedDrain;
}

/** Limits the memory of active requests. A full server answers 503, except to health checks. */
export class Load {
  readonly #limits: LoadLimits;
  readonly #monotonic: MonotonicClock;
  #requests = 0;
  #unread = 0;
  #isMemoryFull = false;

  constructor(limits: LoadLimits, monotonic: MonotonicClock) {
    this.#limits = limits;
    this.#monotonic = monotonic;
  }

  startRequest(request: IncomingMessage): void {
    if (this.#isFull() && !isHealth(request.url)) refusedRequests.add(request);
    this.#requests++;
  }

  endRequest(): void {
    this.#requests--;
  }

  /** Measures the load, and under pressure disconnects slow clients; called a few times a second. */
  measure(connections: Iterable<MeasuredConnection>): void {
    const now = this.#monotonic();
    const waiting: MeasuredConnection[] = [];
    this.#unread = 0;
    for (const connection of connections) {
      const { served, socket } = connection;
      if (!served) continue;
      this.#unread += served.writableLength;
      if (served.req.complete && !waitsForReader(served)) {
        connection.waitingSince = null;
        continue;
      }
      // The time limit for a slow client starts again when the client has sent or read enough.
      const progressBytes = socket.bytesRead - unsentBytesOn(socket);
      const hasProgressed =
        progressBytes < connection.progressBytes ||
        progressBytes - connection.progressBytes >= progressMinBytes;
      if (connection.waitingSince === null || hasProgressed) {
        connection.waitingSince = now;
        connection.progressBytes = progressBytes;
      }
      waiting.push(connection);
    }
    const heap = getHeapStatistics();
    this.#isMemoryFull =
      heap.used_heap_size > heapShareMax * heap.heap_size_limit || heap.external_memory > externalMax;
    if (!this.#isUnderPressure()) return;
    const patienceMs = this.#isMemoryFull ? slowClientWhenFullMs : slowClientMs;
    for (const { waitingSince, socket } of waiting) {
      if (now - (waitingSince as number) >= patienceMs) socket.destroy();
    }
  }

  #isUnderPressure(): boolean {
    const { requestsMax, unreadMax } = this.#limits;
    return this.#isMemoryFull || this.#requests > requestsMax / 2 || this.#unread > unreadMax / 2;
  }

  #isFull(): boolean {
    const { requestsMax, unreadMax } = this.#limits;
    return this.#isMemoryFull || this.#requests >= requestsMax || this.#unread >= unreadMax;
  }
}

/** Returns true for paths that operators must reach even on a full server. */
const isHealth = (url: string | undefined) => url === '/healthz' || url === '/readyz' || url === '/metrics';
