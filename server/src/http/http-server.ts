import type { RequestListener, Server } from 'node:http';
import type { Monotonic } from '../clock.ts';
import type { Connections } from './connections.ts';
import { createServer, IncomingMessage } from './node-http.ts';

/** An idle one costs 12 kB. */
const connectionsMax = 5_000;
/** What the process opens itself: files, pipes, connections to the database. */
const ownFiles = 128;

/**
 * The server under the application. Whoever trickles a request in is answered and dismissed when its time is over:
 * 15 s for the headers, a minute for all of it, which lets a body of 1 MiB through at 18 kB/s.
 */
export function createHttpServer(handle: RequestListener, connections: Connections): Server {
  const server = createServer({
    IncomingMessage: ThriftyMessage,
    requireHostHeader: false,
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 2_000,
    // Longer than the minute for which proxies keep their connections: who closes first must be them.
    keepAliveTimeout: 72_000,
  });
  connections.watch(server, handle);
  // When a server closes, Node takes a connection for idle whose answer is made but not yet read.
  server.closeIdleConnections = () => connections.closeIdle();
  return server;
}

/**
 * How many connections the process can have without running out of files: each may have one on its way out beside it.
 *
 * @param requestsMax how many requests are worked on at once
 */
export function connectionsPossible(requestsMax: number): number {
  // It would ask for the names of all addresses that the process is connected to.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  // "unlimited", or unknown on Windows, which has no such limit.
  const files = Number(userLimits?.open_files?.soft);
  if (Number.isNaN(files)) return connectionsMax;
  const left = files - ownFiles;
  return Math.min(connectionsMax, Math.max(16, Math.floor(left / 2), left - requestsMax));
}

/** Passes on what is told at most once a minute: under a flood, one line says as much as a thousand. */
export function onceAMinute(monotonic: Monotonic, tell: (what: string) => void): (what: string) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (what) => {
    if (monotonic() - toldAt < 60_000) return;
    toldAt = monotonic();
    tell(what);
  };
}

/** Pieces of a body that are smaller are put together. */
const pieceBytes = 4_096;
/** Chunks that an honest body may come in, beside one for every 16 bytes: each costs far more than it weighs. */
const chunksMax = 10_000;

/**
 * A request whose body waits to be read in few pieces, however many chunks it comes in: a chunk of one byte takes some
 * 300 while it waits. So the last of a body may be there before it is handed on, with its end. One of very many chunks
 * is cut off.
 */
export class ThriftyMessage extends IncomingMessage {
  /** What is not handed on yet: one chunk as it came, or a piece with room. */
  #piece: Buffer | null = null;
  #filled = 0;
  #chunks = 0;
  #bytes = 0;

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#handOn();
      return super.push(null);
    }
    this.#bytes += chunk.length;
    if (++this.#chunks > chunksMax + this.#bytes / 16) {
      this.destroy();
      return false;
    }
    if (this.#filled + chunk.length > pieceBytes) this.#handOn();
    if (chunk.length >= pieceBytes) return super.push(chunk);
    if (this.#piece === null) {
      this.#piece = chunk;
    } else {
      if (this.#piece.length < pieceBytes) {
        const piece = Buffer.allocUnsafeSlow(pieceBytes);
        this.#piece.copy(piece);
        this.#piece = piece;
      }
      chunk.copy(this.#piece, this.#filled);
    }
    this.#filled += chunk.length;
    return this.readableLength < this.readableHighWaterMark;
  }

  #handOn(): void {
    if (this.#piece === null) return;
    const piece = this.#piece.subarray(0, this.#filled);
    this.#piece = null;
    this.#filled = 0;
    super.push(piece);
  }
}
