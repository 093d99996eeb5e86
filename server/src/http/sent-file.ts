import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How the bytes of a file may be compressed. */
export type Encoding = 'br' | 'gzip';

/** Bytes that are the same for everyone. */
export interface SentFile {
  readonly contentType: string;
  /** In which encodings it is there, the smallest first, besides as it is. */
  readonly encodings: readonly Encoding[];
  read(encoding: Encoding | null): Promise<Buffer>;
}

/** How long whoever asked may keep a file: five minutes, only when asked again, or for ever. */
export type Keeping = 'briefly' | 'revalidated' | 'forever';

const cacheControl: Readonly<Record<Keeping, string>> = {
  briefly: 'public, max-age=300',
  revalidated: 'no-cache',
  forever: 'public, max-age=31536000, immutable',
};

const compress = promisify(gzip);

/** Compresses content once, so that answering costs nothing. */
export async function compressedFile(contentType: string, content: string | Buffer): Promise<SentFile> {
  const bytes = Buffer.from(content);
  const gzipped = await compress(bytes, { level: constants.Z_BEST_COMPRESSION });
  return {
    contentType,
    encodings: ['gzip'],
    read: async (encoding) => (encoding ? gzipped : bytes),
  };
}

/** Sends the file, compressed as the client takes it, or 304 where the client has it already. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
  keeping: Keeping,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': cacheControl[keeping], vary: 'accept-encoding' });
  // No one asks again for what is kept for ever.
  if (keeping !== 'forever') {
    const etag = await fingerprint(file);
    reply.header('etag', etag);
    if (names(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = file.encodings.find((name) => accepts(accepted, name)) ?? null;
  if (encoding) reply.header('content-encoding', encoding);
  return reply.header('content-type', file.contentType).send(await file.read(encoding));
}

const fingerprints = new WeakMap<SentFile, string>();

/** Weak, because it stands for every encoding. */
async function fingerprint(file: SentFile): Promise<string> {
  let etag = fingerprints.get(file);
  if (etag === undefined) {
    const hash = createHash('sha256').update(await file.read(null));
    etag = `W/"${hash.digest('base64url').slice(0, 22)}"`;
    fingerprints.set(file, etag);
  }
  return etag;
}

function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim());
  // If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have dropped or added the W/.
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.slice(2));
}

/** A star stands for those alone that are not named (RFC 9110, 12.5.3). */
function accepts(acceptEncoding: string, encoding: Encoding): boolean {
  const parts = acceptEncoding.split(',').map((part) => part.replaceAll(/\s/g, '').toLowerCase().split(';'));
  const [, ...parameters] = parts.find(([name]) => name === encoding) ??
    parts.find(([name]) => name === '*') ?? ['', 'q=0'];
  return !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
}
