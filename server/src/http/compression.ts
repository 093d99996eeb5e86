import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';

export type Encoding = 'br' | 'gzip';

export const compressedMinBytes = 1_024;

/** The main thread compresses up to this size, because the thread pool may be busy with password hashes. */
const syncMaxBytes = 65_536;

/** The fastest levels, because a list shrinks to an eighth at any level and others cost several times as much. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } satisfies BrotliOptions;
const zip = { level: constants.Z_BEST_SPEED } satisfies ZlibOptions;
const compressInPool = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Returns the encoding that the client prefers (RFC 9110, 12.5.3); null for none. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  const qualities = new Map(acceptEncoding.toLowerCase().split(',').map(parseEncoding));
  const others = qualities.get('*') ?? 0;
  const [br, gzip] = [qualities.get('br') ?? others, qualities.get('gzip') ?? others];
  const best = Math.max(br, gzip);
  if (best === 0 || best < (qualities.get('identity') ?? 0)) return null;
  return br === best ? 'br' : 'gzip';
}

function parseEncoding(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, quality === undefined ? 1 : Number(quality) || 0];
}

export function compress(bytes: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (bytes.length > syncMaxBytes)
    return encoding === 'br' ? compressInPool.br(bytes, brotli) : compressInPool.gzip(bytes, zip);
  return encoding === 'br' ? brotliCompressSync(bytes, brotli) : gzipSync(bytes, zip);
}

/** Compresses a stream; the result fails when `source` fails. */
export function compressStream(source: Readable, encoding: Encoding): Transform {
  const compressor = encoding === 'br' ? createBrotliCompress(brotli) : createGzip(zip);
  // Ignores the error here, because the reader of the result gets it.
  return pipeline(source, compressor, () => {}) as Transform;
}
