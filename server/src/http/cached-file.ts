import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bytes that are the same for everybody, ready to be sent. */
export interface CachedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  /** Weak, because it stands for both encodings. */
  readonly etag: string;
}

const compress = promisify(gzip);

/** Compresses and fingerprints content once, so that answering costs nothing. */
export async function cachedFile(contentType: string, content: string | Buffer): Promise<CachedFile> {
  const bytes = Buffer.from(content);
  const gzipped = await compress(bytes, { level: constants.Z_BEST_COMPRESSION });
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { contentType, bytes, gzipped, etag };
}

/** Sends the file, compressed where the client takes it, or 304 where the client has it already. */
export function sendCached(request: FastifyRequest, reply: FastifyReply, file: CachedFile): FastifyReply {
  reply.headers({ etag: file.etag, 'cache-control': 'public, max-age=300', vary: 'accept-encoding' });
  if (names(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.header('content-type', file.contentType);
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim());
  // If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have dropped or added the W/.
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.slice(2));
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(
    acceptEncoding ?? '',
  );
}
