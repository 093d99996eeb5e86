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

/** How an answer is encoded. */
export type Encoding = 'br' | 'gzip';

/** Less is hardly worth the work. */
export const compressedFrom = 1_024;

/**
 * So much is compressed at once, in a tenth of a millisecond or two. In the pool of threads it would take its turn
 * behind passwords that are hashed there; what is larger does.
 */
const atOnceMax = 65_536;

/** The quickest levels: a list of a school becomes an eighth either way, and the slower ones cost several times as much. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } satisfies BrotliOptions;
const zip = { level: constants.Z_BEST_SPEED } satisfies ZlibOptions;
const inPool = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** The encoding that a client wants most, of those that we have (RFC 9110, 12.5.3); null for none. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  const qualities = new Map(acceptEncoding.toLowerCase().split(',').map(nameAndQuality));
  const others = qualities.get('*') ?? 0;
  const [br, gzip] = [qualities.get('br') ?? others, qualities.get('gzip') ?? others];
  const best = Math.max(br, gzip);
  if (best === 0 || best < (qualities.get('identity') ?? 0)) return null;
  return br === best ? 'br' : 'gzip';
}

function nameAndQuality(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, quality === undefined ? 1 : Number(quality) || 0];
}

/** Compresses a text that is whole. */
export function compressed(bytes: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (bytes.length > atOnceMax) return encoding === 'br' ? inPool.br(bytes, brotli) : inPool.gzip(bytes, zip);
  return encoding === 'br' ? brotliCompressSync(bytes, brotli) : gzipSync(bytes, zip);
}

/** Compresses a text that comes in parts. What breaks off, breaks off compressed, too. */
export function compressedStream(parts: Readable, encoding: Encoding): Transform {
  const compressor = encoding === 'br' ? createBrotliCompress(brotli) : createGzip(zip);
  // Whoever reads hears of an error, too, and tells it.
  return pipeline(parts, compressor, () => {}) as Transform;
}
