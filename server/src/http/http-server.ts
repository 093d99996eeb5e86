import type { RequestListener, Server } from 'node:http';
import type { MonotonicClock } from '../time/clock.ts';
import type { Connections } from './connections.ts';
import { createServer, IncomingMessage } from './node-http.ts';

/** Limit of open connections. An idle one costs 12 kB. */
const connectionsMax = 5_000;
/** File descriptors for other files, pipes and database connections. */
const reservedFileDescriptors = 128;

/** Creates the HTTP server. Its time limits end slow requests; a body of 1 MiB needs 18 kB/s. */
export function createHttpServer(handle: RequestListener, connections: Connections): Server {
  const server = createServer({
    IncomingMessage: ChunkJoiningMessage,
    requireHostHeader: false,
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 2_000,
    // Longer than the minute for which proxies keep connections, so that the proxy closes first.
    keepAliveTimeout: 72_000,
  });
  connections.attach(server, handle);
  // Replaces Node's method, which also closes connections whose answer is not read yet.
  server.closeIdleConnections = () => connections.closeIdle();
  return server;
}

/** Returns how many connections fit the limit of file descriptors. An answer from a file needs one descriptor more. */
export function connectionsMaxOf(requestsMax: number): number {
  // Keeps the report from looking up the host names of all connected addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const files = Number(userLimits?.open_files?.soft);
  if (Number.isNaN(files)) return connectionsMax;
  const left = files - reservedFileDescriptors;
  return Math.min(connectionsMax, Math.max(16, Math.floor(left / 2), left - requestsMax));
}

/** Calls `report` at most once a minute, so that a flood of events does not fill the log. */
export function oncePerMinute(
  monotonic: MonotonicClock,
  report: (what: string) => void,
): (what: string) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (what) => {
    if (monotonic() - reportedAt < 60_000) return;
    reportedAt = monotonic();
    report(what);
  };
}

const pieceBytes = 4_096;
/** Chunks allowed per body, besides one for every 16 bytes. A chunk costs far more memory than its bytes. */
const chunksMax = 10_000;

/** Joins small chunks of a body, because a chunk of one byte takes about 300 bytes. Limits the number of chunks. */
export class ChunkJoiningMessage extends IncomingMessage {
  /** Data not passed on yet: one chunk as it came, or a buffer of `pieceBytes` with free space. */
  #piece: Buffer | null = null;
  #filled = 0;
  #chunks = 0;
  #bytes = 0;

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#pushPiece();
      return super.push(null);
    }
    this.#bytes += chunk.length;
    if (++this.#chunks > chunksMax + this.#bytes / 16) {
      this.destroy();
      return false;
    }
    if (this.#filled + chunk.length > pieceBytes) this.#pushPiece();
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

  #pushPiece(): void {
    if (this.#piece === null) return;
    const piece = this.#piece.subarray(0, this.#filled);
    this.#piece = null;
    this.#filled = 0;
    super.push(piece);
  }
}
